import { type Static, Type } from "typebox";
import { Nullable } from "../http/nullable.ts";

/** A customer as pages name one: by name, or else by e-mail, or else by the platform's id. */
export const namedCustomer = Type.Object({
  id: Type.String(),
  name: Nullable(Type.String()),
  email: Nullable(Type.String()),
});
export type NamedCustomer = Static<typeof namedCustomer>;

interface JoinedCustomer {
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
}

/** The customer that a row was joined with; null: the row has no customer. */
export function viewCustomer({ customerId: id, customerName, customerEmail }: JoinedCustomer): NamedCustomer | null {
  return id === null ? null : { id, name: customerName, email: customerEmail };
}
