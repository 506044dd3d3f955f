import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { namedCustomer } from "../named-customer.ts";

const text = Type.String();
const nullableText = Nullable(text);
const time = Type.String({ format: "date-time" });
const points = Type.Integer();

export const requestParams = Type.Object({ uid: Type.String({ format: "uuid", expected: "the id of a request" }) });

export const requestsQuery = Type.Object({
  list: Type.Optional(Type.Enum(["waiting", "decided"])),
  after: Type.Optional(Type.String({ maxLength: 500 })),
});

const request = Type.Object({
  uid: text,
  customer: namedCustomer,
  kind: text,
  point_value: points,
  earlier_points: Type.Integer({
    description: "What whoever asked had moved the same way within 24 hours: it counted with it.",
  }),
  balance: Nullable(points),
  reason_type: nullableText,
  note: nullableText,
  extends_expiration: Type.Boolean(),
  requested_name: text,
  requested_email: text,
  requested_at: time,
  expires_at: time,
  is_own: Type.Boolean({ description: "The reader asked for it." }),
  state: text,
  decided_name: nullableText,
  decided_at: Nullable(time),
  decision_note: nullableText,
});

export const requestsAnswer = Type.Object({ data: Type.Array(request), next: nullableText });
export const requestAnswer = Type.Object({ data: request });
export const waitingAnswer = Type.Object({ data: Type.Object({ waiting: Type.Integer() }) });

export const decisionBody = Type.Object(
  { note: Type.Optional(Nullable(Type.String({ maxLength: 255 }))) },
  { additionalProperties: false },
);

export type RequestRow = Static<typeof request>;
