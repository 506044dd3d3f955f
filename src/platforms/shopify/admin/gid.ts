/** Returns the platform's global id of a resource; null if the id is not the platform's, whose ids are digits. */
export function gid(kind: "Customer" | "Product", id: string): string | null {
  return /^[0-9]{1,20}$/.test(id) ? `gid://shopify/${kind}/${id}` : null;
}
