/** Specification 2, Public bot information page. */
export function TelegramPage() {
  return <h1>NFT Activity Tracker</h1>;
}
