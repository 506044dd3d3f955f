import { type Static, Type } from "typebox";
import { BigInteger } from "../http/big-integer.ts";
import { Nullable } from "../http/nullable.ts";
import { MOVEMENT_KINDS } from "../wire/liability.ts";
import { MONTH_PATTERN } from "./month.ts";
import { LIABILITY_ORIGINS } from "./movement-kind.ts";

const text = Type.String();
const money = (description: string) => Type.String({ description, examples: ["4175"] });
const month = (description: string) =>
  Type.String({ pattern: MONTH_PATTERN, expected: "a month, as 2026-10", description, examples: ["2026-10"] });

export const reportQuery = Type.Object({
  month: Type.Optional(month("The month; the present one when absent.")),
});

export const monthQuery = Type.Object({ month: month("The month.") });

export const movementsQuery = Type.Object({
  month: month("The month in which they were booked."),
  kind: Type.Enum([...MOVEMENT_KINDS], { description: "What moved the points.", examples: ["redeemed"] }),
  cohort: Type.Optional(month("The month in which the points were issued.")),
  origin: Type.Optional(
    Type.Enum([...LIABILITY_ORIGINS], { description: "Where the points came from.", examples: ["sale"] }),
  ),
  cause: Type.Optional(month("The month of the cause; before the month of booking for late events.")),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: "`next_cursor` of the page before." }),
  ),
});

const kinds = {
  issued: BigInteger({ description: "Given by orders, rewards, the interface, workflows, files and staff." }),
  returned: BigInteger({ description: "Points of coupons that ended unused or whose order was refunded." }),
  restored: BigInteger({ description: "A deduction that was undone." }),
  moved_in: BigInteger({ description: "Moved to a customer by a merge." }),
  redeemed: BigInteger({ description: "Taken by coupons, reservations, the interface and workflows." }),
  expired: BigInteger({ description: "Written off at their date." }),
  taken_back: BigInteger({ description: "Taken back because an order was refunded, edited or cancelled." }),
  corrected: BigInteger({ description: "Taken by staff or a file." }),
  forfeited: BigInteger({ description: "Of customers who were deleted." }),
  moved_out: BigInteger({ description: "Moved from a customer by a merge." }),
};

const pointFields = {
  opening: BigInteger({ description: "Points owed when the month began." }),
  ...kinds,
  closing: BigInteger({ description: "Points owed when it ended, or now." }),
};

const deferralFields = {
  opening: money("Deferred when the month began."),
  additions: money("Allocated to points issued in the month."),
  taken_back: money("Of points that were taken back; negative where corrections were undone."),
  redemption: money("Recognised for points redeemed, at what each was allocated."),
  breakage: money("Recognised for points that are not expected to be redeemed."),
  reestimate: money("Recognised for a change of the expected redemption; may be negative."),
  closing: money("Deferred when the month ended: opening + additions - the others."),
};

const sales = money(
  "Paid for the goods with which the points of the month were issued; `additions` is the share of the points in it.",
);

const unpriced = Nullable(
  Type.String({
    description:
      "Points of origin sale that were issued in the month without an order: without a price, they have no part in it. Null: not known yet, for a while after the upgrade to the first version that tells them apart.",
    examples: ["500"],
  }),
);

const revenue = Type.Object(
  {
    expected_redemption: Type.String({ description: "Percent of the points issued.", examples: ["97"] }),
    point_price: Type.String({ description: "Stand-alone price of a point, in major units.", examples: ["0.0095"] }),
    total: Type.Object({ ...deferralFields, sales, unpriced }),
    cohorts: Type.Array(
      Type.Object({
        month: Type.String({ description: "The month in which the points were issued." }),
        ...deferralFields,
        sales,
        unpriced,
        allocated: money("Allocated to date."),
        recognised: money("Recognised to date."),
        expected_redemption: Type.String({ description: "Percent of the points issued." }),
      }),
    ),
  },
  { description: "Deferred revenue of points of origin sale that orders awarded, in major units of the currency." },
);

const estimate = Type.Object({
  month: text,
  cohort: Nullable(Type.String({ description: "Of one month of issue alone; null: of all." })),
  redemption: Type.String({ description: "Percent of the points issued." }),
  point_price: Nullable(Type.String({ description: "Stand-alone price of a point, in major units." })),
  set_at: text,
  set_by: text,
});

export const reportAnswer = Type.Object(
  {
    data: Type.Object({
      month: text,
      first_month: Type.String({ description: "The first month that there is a report of." }),
      last_month: Type.String({ description: "The present month." }),
      closed_month: Nullable(Type.String({ description: "The last month that is closed." })),
      closed_at: Nullable(Type.String({ description: "When this month was closed; null: it is open." })),
      closed_by: Nullable(text),
      time_zone: Type.String({ description: "By which the months begin." }),
      currency: text,
      counted_to: Nullable(Type.String({ description: "All allotments up to this time are counted." })),
      total: Type.Object(pointFields),
      origins: Type.Array(Type.Object({ origin: text, ...pointFields })),
      cohorts: Type.Array(Type.Object({ month: text, ...pointFields })),
      late: Type.Array(Type.Object({ month: text, kind: text, points: BigInteger({}), movements: BigInteger({}) }), {
        description: "Booked in this month for an earlier one, by the month of the cause.",
      }),
      revenue: Type.Union([revenue, Type.Null()], { description: "Null: there is no estimate." }),
      estimates: Type.Array(estimate),
    }),
  },
  { title: "LiabilityReport" },
);

export const movementsAnswer = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        uid: Type.String({ description: "Id of the allotment." }),
        allotted_at: text,
        type: text,
        storefront_id: Nullable(Type.String({ description: "Id of the customer." })),
        points: BigInteger({ description: "How many of the requested points it moved; never negative." }),
        sales: Nullable(
          Type.String({
            description:
              "What was paid for the goods with which the points were issued; null: none were issued, or an earlier version awarded them, which did not store it.",
          }),
        ),
      }),
    ),
    meta: Type.Object({ next_cursor: Nullable(Type.String({ description: "Null: there are no more." })) }),
  },
  { title: "LiabilityMovements" },
);

export const estimateBody = Type.Object(
  {
    month: month("From which month on."),
    cohort: Type.Optional(month("Of one month of issue alone.")),
    redemption: Type.String({ maxLength: 20, description: "Percent of the points issued." }),
    point_price: Type.Optional(Type.String({ maxLength: 40, description: "In major units of the currency." })),
  },
  { additionalProperties: false },
);

export const closeBody = Type.Object({ month: month("The month.") }, { additionalProperties: false });
export const closeAnswer = Type.Object({ data: Type.Object({ months: Type.Array(text) }) });

export type LiabilityReport = Static<typeof reportAnswer>["data"];
export type LiabilityMovements = Static<typeof movementsAnswer>;
