/** An IPv6 customer is given a network of this many bits or fewer (RFC 6177): all of it counts as one caller. */
const customerGroups = 3;
const lastGroupBits = 8;

/** What counts as one caller when logins are counted: an IPv4 address, or the /56 of an IPv6 one. */
export function clientNetwork(address: string): string {
  if (!address.includes(':')) return address;
  const groups = expand(address.replace(/%.*$/, ''));
  const last = (Number.parseInt(groups[customerGroups] ?? '0', 16) || 0) >> (16 - lastGroupBits);
  const network = [...groups.slice(0, customerGroups), (last << (16 - lastGroupBits)).toString(16)];
  return `${network.join(':')}::/56`;
}

/** All eight groups, without leading zeros: `::` stands for as many zero groups as are missing. */
function expand(address: string): readonly string[] {
  const [head = '', tail] = address.toLowerCase().split('::', 2);
  const groupsOf = (part: string): string[] => (part === '' ? [] : part.split(':').map((group) => trimmed(group)));
  const [left, right] = [groupsOf(head), groupsOf(tail ?? '')];
  const missing = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  return [...left, ...Array.from({ length: missing }, () => '0'), ...right];
}

const trimmed = (group: string): string => group.replace(/^0+(?=.)/, '');
