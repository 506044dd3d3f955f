import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import type { ProgramDocument } from "../../program/program-schema.ts";

const VERSION_MAX = 2_147_483_647;
const nullableInteger = Type.Unsafe<number | null>({ type: ["integer", "null"] });
const nullableText = Type.Unsafe<string | null>({ type: ["string", "null"] });

/** The complete document of program.md 9. */
export const wholeDocument = Type.Unsafe<ProgramDocument>({ type: "object", additionalProperties: true });

const version = Type.Object({
  version: Type.Integer(),
  author: Type.String(),
  created_at: Type.String(),
  /** From when it applies to orders; null: for all time. */
  valid_from: nullableText,
});

/** One field that differs; a side is absent if that document lacked the field. */
const change = Type.Object({
  pointer: Type.String(),
  before: Type.Optional(Type.Unknown()),
  after: Type.Optional(Type.Unknown()),
});

export const programAnswer = Type.Object({
  data: Type.Object({
    ...version.properties,
    document: wholeDocument,
    /** The program of a store that sets nothing. */
    defaults: wholeDocument,
    /** By the business clock. */
    now: Type.String(),
    next_check_at: Type.String(),
  }),
});
export type ProgramState = Static<typeof programAnswer>["data"];

export const tierMembersAnswer = Type.Object({
  data: Type.Array(Type.Object({ uid: Type.String(), customers: Type.Integer() })),
});
export type TierMembers = Static<typeof tierMembersAnswer>;

export const changeBody = Type.Object({
  document: Type.Unknown(),
  base_version: Type.Integer({ minimum: 1 }),
  /** Whether new tier rules place customers at once, instead of at the next check. */
  apply_now: Type.Optional(Type.Boolean()),
  /** From when it applies to orders, a time in the past; absent or null: from now on. */
  valid_from: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 40 }))),
});

const mover = Type.Object({
  storefront_id: Type.String(),
  name: nullableText,
  email: nullableText,
  from: Type.String(),
  to: Type.String(),
  /** In minor units, within the window of the tier check. */
  spent: Type.Integer(),
});
export type MoverRow = Static<typeof mover>;

const movers = Type.Object({ count: Type.Integer(), first: Type.Array(mover) });
const touched = Type.Object({ points: Type.Integer(), balances: Type.Integer() });
const share = Type.Number({ description: "Of all customers, those that were counted: above 0 and up to 1." });

const tierEffect = Type.Object({
  share,
  next_check_at: Type.String(),
  tiers: Type.Array(
    Type.Object({
      name: Type.String(),
      present: Type.Integer(),
      now: Type.Integer(),
      at_check: Type.Integer(),
    }),
  ),
  now: movers,
  at_check: movers,
});
export type TierEffect = Static<typeof tierEffect>;

const expiryEffect = Type.Object({
  share,
  earlier: touched,
  later: touched,
  graced: touched,
  at_once: touched,
  months: Type.Array(Type.Object({ month: Type.String(), before: Type.Integer(), after: Type.Integer() })),
});
export type ExpiryEffectView = Static<typeof expiryEffect>;

const orderExample = Type.Object({
  at: Type.String(),
  tier: Type.String(),
  campaign: nullableText,
  collection: nullableText,
  collection_name: nullableText,
  amount: Type.Integer(),
  before: nullableInteger,
  after: Type.Integer(),
});
export type OrderExampleView = Static<typeof orderExample>;

const approval = Type.Object({
  raises: Type.Array(Type.String({ description: "The pointer of a field that pays more." })),
  other_approvers: Type.Integer({ description: "How many people but the reader may approve it." }),
});
const reevaluation = Type.Object({
  orders: Type.Integer({ description: "Orders of the time for which it would hold and that has passed." }),
  looked_at: Type.Integer({ description: "Of those; the other figures are about these." }),
  changed: Type.Integer(),
  points_more: Type.Integer(),
  points_less: Type.Integer(),
});
export type Reevaluation = Static<typeof reevaluation>;

export const programPreviewAnswer = Type.Object({
  data: Type.Object({
    version: Type.Integer(),
    changes: Type.Array(change),
    /** As it would be shown. */
    document: wholeDocument,
    /** The currency of the amounts: the one after the change. */
    currency: Type.String(),
    tiers: Type.Union([tierEffect, Type.Null()]),
    expiries: Type.Union([expiryEffect, Type.Null()]),
    orders: Type.Array(orderExample),
    /** Null: it is applied at once. */
    approval: Type.Union([approval, Type.Null()]),
    /** From when it would apply to orders; null: for all time. */
    valid_from: nullableText,
    judged_again: Type.Union([reevaluation, Type.Null()]),
  }),
});
export type ProgramPreview = Static<typeof programPreviewAnswer>["data"];

export const changedAnswer = Type.Object({
  data: Type.Object({
    state: Type.Enum(["applied", "waiting"]),
    request_uid: nullableText,
    /** The version that applies now. */
    version: Type.Integer(),
    changes: Type.Array(change),
    /** The number of customers moved before the response; a worker continues with the rest. */
    moved: Type.Integer(),
  }),
});
export type ProgramChanged = Static<typeof changedAnswer>["data"];

const comparedVersion = Type.Object({
  ...version.properties,
  approved_by: nullableText,
  document: wholeDocument,
  /** The version before it; null: it is the first. */
  before: Type.Unsafe<ProgramDocument | null>({ type: ["object", "null"], additionalProperties: true }),
});
export type ComparedVersion = Static<typeof comparedVersion>;

export const versionsQuery = Type.Object({ after: Type.Optional(Type.Integer({ minimum: 1, maximum: VERSION_MAX })) });

export const versionsAnswer = Type.Object({
  data: Type.Array(comparedVersion),
  next: nullableText,
});
export type Versions = Static<typeof versionsAnswer>;

export const versionParams = Type.Object({ version: Type.Integer({ minimum: 1, maximum: VERSION_MAX }) });

export const versionAnswer = Type.Object({ data: comparedVersion });
