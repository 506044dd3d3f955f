import { Type } from "typebox";
import { formatWithOffset } from "../../time/store-time.ts";
import { payloadCustomer, payloadCustomerSchema, payloadPoints } from "../payload-fields.ts";

export interface BalanceUpdateInput {
  /** null: unknown, sent as false. */
  acceptsMarketing: boolean | null;
  /** null: unknown, sent as true. */
  accountEnabled: boolean | null;
  /** Available points. */
  balance: bigint;
  /** `YYYY-MM-DD`; `--MM-DD` (the year is unknown) and null are sent as null. */
  birthday: string | null;
  /** The platform's id of the customer; the field name is `customerIdField`. */
  customerId: string;
  idField: string;
  name: string | null;
  /** null: never. */
  pointExpirationDate: Temporal.Instant | null;
  /** The store's time zone, for the offset of the date. */
  timeZone: string;
  /** The uid of the point balance, which is the customer's uid. */
  uid: string;
}

/** At most one event for each customer and transaction, for the causes of interface.md 6.3 (program.md 7). */
export const pointBalanceUpdate = {
  name: "point_balance/update",
  schema: Type.Object({
    accepts_marketing: Type.Boolean(),
    account_enabled: Type.Boolean(),
    balance: Type.Integer(),
    birthday: Type.Union([Type.String({ format: "date" }), Type.Null()]),
    customer: payloadCustomerSchema,
    name: Type.Union([Type.String(), Type.Null()]),
    point_expiration_date: Type.Union([Type.String({ format: "date-time" }), Type.Null()]),
    uid: Type.String({ format: "uuid" }),
  }),
  sample: {
    accepts_marketing: true,
    account_enabled: true,
    balance: 1320,
    birthday: "1988-04-12",
    customer: { storefront_id: 4567890123 },
    name: "Hanako Yamada",
    point_expiration_date: "2027-03-02T00:00:00.000000+09:00",
    uid: "019ca8e7-3c55-7a02-8b1f-6f2d94c0e716",
  },
  /** Returns the body as JSON text. */
  payload(input: BalanceUpdateInput): string {
    return JSON.stringify({
      accepts_marketing: input.acceptsMarketing ?? false,
      account_enabled: input.accountEnabled ?? true,
      balance: payloadPoints(input.balance),
      birthday: input.birthday?.startsWith("--") ? null : input.birthday,
      customer: payloadCustomer(input.customerId, input.idField),
      name: input.name,
      point_expiration_date:
        input.pointExpirationDate === null ? null : formatWithOffset(input.pointExpirationDate, input.timeZone),
      uid: input.uid,
    });
  },
} as const;
