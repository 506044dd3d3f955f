type Tampering = readonly [
  what: string,
  /** The check that must name the customer; null: no check finds it, as docs/ledger-proofs.md says. */
  check: "holds" | "captures" | "debts" | null,
  statements: readonly string[],
];

/**
 * Changes to holds, which are not allotments, by somebody who may change every row. Each victim has 420 points, of which 120 are held; captured 80 of
 * a hold, and released one.
 */
export const HOLD_TAMPERINGS: readonly Tampering[] = [
  [
    "a hold's points lowered in the reservation alone",
    "holds",
    ["update reservation set point_value = 20 where customer_uid = $1 and state = 'held'"],
  ],
  [
    "what is held raised in the balance alone",
    "holds",
    ["update balance set held_points = 300 where customer_uid = $1"],
  ],
  [
    "a hold's end moved in the reservation alone",
    "holds",
    ["update reservation set expires_at = '2030-01-01Z' where customer_uid = $1 and state = 'held'"],
  ],
  [
    "a hold taken away, the balance left as it was",
    "holds",
    ["delete from reservation where customer_uid = $1 and state = 'held'"],
  ],
  [
    "what was captured lowered",
    "captures",
    ["update reservation set captured_points = 10 where customer_uid = $1 and state = 'captured'"],
  ],
  [
    "a captured hold made a released one",
    "captures",
    [
      "update reservation set state = 'released', captured_points = 0, captured_version = null where customer_uid = $1 and state = 'captured'",
    ],
  ],
  [
    "a captured hold taken away",
    "captures",
    ["delete from reservation where customer_uid = $1 and state = 'captured'"],
  ],
  [
    "a released hold made a captured one",
    "captures",
    [
      "update reservation set state = 'captured', captured_points = 50, captured_version = 1 where customer_uid = $1 and state = 'released'",
    ],
  ],
  [
    "a hold's points lowered in both places",
    null,
    [
      "update reservation set point_value = 20 where customer_uid = $1 and state = 'held'",
      "update balance set held_points = 20 where customer_uid = $1",
    ],
  ],
  [
    "a hold's end moved in both places",
    null,
    [
      "update reservation set expires_at = '2030-01-01Z' where customer_uid = $1 and state = 'held'",
      "update balance set held_until = '2030-01-01Z' where customer_uid = $1",
    ],
  ],
  [
    "a hold taken away in both places",
    null,
    [
      "delete from reservation where customer_uid = $1 and state = 'held'",
      "update balance set held_points = 0, held_until = 'infinity' where customer_uid = $1",
    ],
  ],
];

/** Changes to debts. Each victim owes 40 of the 100 points that a cancelled order could not take back: 60 were paid by a later award. */
export const DEBT_TAMPERINGS: readonly Tampering[] = [
  ["a debt forgiven", "debts", ["update balance set owed_points = 0 where customer_uid = $1"]],
  ["a debt raised", "debts", ["update balance set owed_points = 4000 where customer_uid = $1"]],
  [
    "a debt forgiven, and its order said to be without one",
    "debts",
    [
      "update balance set owed_points = 0 where customer_uid = $1",
      "update order_posting set taken_elsewhere = 0 where customer_uid = $1 and outcome = 'owed'",
    ],
  ],
  [
    "a payment of a debt said to have been more, in the order too",
    "debts",
    [
      "update balance set owed_points = 10 where customer_uid = $1",
      "update order_posting set taken_elsewhere = 90 where customer_uid = $1 and outcome = 'owed'",
    ],
  ],
  [
    "a debt forgiven, and all that was missing of its order too",
    "debts",
    [
      "update balance set owed_points = 0 where customer_uid = $1",
      "update order_posting set outcome = 'capped', taken_elsewhere = 0 where customer_uid = $1 and outcome = 'owed'",
    ],
  ],
  [
    "a debt lowered, and said to have been lower in its order too",
    null,
    [
      "update balance set owed_points = 10 where customer_uid = $1",
      "update order_posting set taken_elsewhere = 70 where customer_uid = $1 and outcome = 'owed'",
    ],
  ],
  [
    "a debt forgiven, and said to have been settled",
    null,
    [
      "update balance set owed_points = 0 where customer_uid = $1",
      "insert into settled_debt (bucket, customer_uid, version, points) select bucket, customer_uid, version, 40 from balance where customer_uid = $1",
    ],
  ],
];
