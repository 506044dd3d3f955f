/** The platform's global id of a resource; null where the id is none of the platform's: those are digits. */
export function gid(kind: "Customer" | "Product", id: string): string | null {
  return /^[0-9]{1,20}$/.test(id) ? `gid://shopify/${kind}/${id}` : null;
}
