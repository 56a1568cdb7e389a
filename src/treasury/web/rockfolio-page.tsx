/** Specification 2, Treasury page. */
export function RockfolioPage() {
  return <h1>RockFolio</h1>;
}
