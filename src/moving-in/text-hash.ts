/** Returns a hash of 52 bits: among two million texts a collision is expected in one of a thousand files. */
export function textHash(text: string): number {
  let high = 0x811c9dc5;
  let low = 0x1b873593;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x85ebca6b);
    low = (low << 13) | (low >>> 19);
  }
  return (high >>> 0) * 0x100000 + ((low ^ (low >>> 16)) & 0xfffff);
}
