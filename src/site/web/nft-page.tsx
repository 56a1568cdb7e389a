export function NftPage() { return <h1>nft</h1>; }
