import type { CustomerRow } from "../../customers/customer.ts";

/** Whether an e-mail is somebody else's, and not this customer's too. `byEmail`: at most two holders of each. */
export function isTaken(
  email: string,
  customer: CustomerRow | undefined,
  byEmail: ReadonlyMap<string | null, readonly CustomerRow[]>,
): boolean {
  if (customer?.email === email) return false;
  return (byEmail.get(email) ?? []).some(({ customerUid }) => customerUid !== customer?.customerUid);
}
