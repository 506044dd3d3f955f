import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { WIRE_NOTE_MAX } from "../../wire/limits.ts";
import { namedCustomer } from "../named-customer.ts";
import { programPreviewAnswer, wholeDocument } from "../program/schema.ts";

const programPreview = programPreviewAnswer.properties.data;

const text = Type.String();
const nullableText = Nullable(text);
const time = Type.String({ format: "date-time" });
const points = Type.Integer();

export const requestParams = Type.Object({ uid: Type.String({ format: "uuid", expected: "the id of a request" }) });

export const requestsQuery = Type.Object({
  list: Type.Optional(Type.Enum(["waiting", "decided"])),
  after: Type.Optional(Type.String({ maxLength: 500 })),
});

const file = Type.Object({
  import_uid: text,
  file_name: text,
  rows: points,
  customers: points,
  points_added: points,
  points_taken: points,
  largest_points: Type.Integer({
    description: "The most of one customer, with what was moved of that customer before.",
  }),
  excess: text,
  earlier_of_day: points,
});

const program = Type.Object({
  base_version: points,
  apply_now: Type.Boolean(),
  raises: Type.Array(Type.String({ description: "The pointer of a field that pays more." })),
  version: Nullable(Type.Integer({ description: "What the approval made." })),
});

const merge = Type.Object({ removed_id: Type.String({ description: "Who becomes part of the customer." }) });

const request = Type.Object({
  uid: text,
  customer: Nullable(namedCustomer),
  kind: Type.String({
    description: "`add`, `set` and `undo` of a customer's points, `import`, `import_undo`, `program`, `merge`.",
  }),
  point_value: Type.Integer({
    description:
      "What an adjustment would move. Of a merge: the larger of the two balances, each with what orders have yet to award there, which counts in the allowance.",
  }),
  excess: Nullable(Type.String({ description: "Which limit an adjustment passes: `customer` or `day`." })),
  earlier_points: Type.Integer({
    description: "What whoever asked had moved the same way within 24 hours: it counted with it.",
  }),
  earlier_of_day: Type.Integer({ description: "The same of all customers." }),
  balance: Nullable(points),
  reason_type: nullableText,
  note: nullableText,
  extends_expiration: Type.Boolean(),
  file: Nullable(file),
  program: Nullable(program),
  merge: Nullable(merge),
  requested_name: text,
  requested_email: text,
  requested_at: time,
  expires_at: time,
  is_requester_disabled: Type.Boolean({ description: "It can only be refused." }),
  is_own: Type.Boolean({ description: "The reader requested it." }),
  state: text,
  decided_name: nullableText,
  decided_at: Nullable(time),
  decision_note: nullableText,
});

export const requestsAnswer = Type.Object({ data: Type.Array(request), next: nullableText });
export const requestAnswer = Type.Object({ data: request });
export const waitingAnswer = Type.Object({
  data: Type.Object({
    waiting: Type.Integer(),
    other_approvers: Type.Integer({ description: "How many people but the reader may approve." }),
  }),
});

/** The effect of a requested change of the program. */
export const requestedProgramAnswer = Type.Object({
  data: Type.Object({
    request,
    before: wholeDocument,
    preview: programPreview,
  }),
});
export type RequestedProgram = Static<typeof requestedProgramAnswer>["data"];

export const decisionBody = Type.Object(
  { note: Type.Optional(Nullable(Type.String({ maxLength: WIRE_NOTE_MAX }))) },
  { additionalProperties: false },
);

export type RequestsQuery = Static<typeof requestsQuery>;
export type RequestRow = Static<typeof request>;
