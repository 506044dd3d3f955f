/**
 * Changes by a person with full access to the database who understands the ledger, made in all places at once, so that sums, lots and draws agree. Each victim
 * earned 100, spent 30, earned 800 and then 40, with a note. Each entry has the check that must name the customer, and its message.
 */
export const CHAIN_TAMPERINGS: readonly (readonly [
  what: string,
  check: string,
  found: RegExp,
  statements: readonly string[],
])[] = [
  [
    "points raised from 910 to 90,000 in all four places",
    "chains",
    /version 3 is the first/,
    [
      "update allotment set point_value = point_value + 89090 where customer_uid = $1 and version = 3",
      "update allotment set balance_after = balance_after + 89090 where customer_uid = $1 and version >= 3",
      "update lot set remaining = remaining + 89090 where customer_uid = $1 and version = 3",
      "update balance set ledger_points = ledger_points + 89090 where customer_uid = $1",
    ],
  ],
  [
    "the newest allotment taken away",
    "chains",
    /up to version 3 are not what was written/,
    [
      "delete from allotment_note where customer_uid = $1 and version = 4",
      "delete from allotment where customer_uid = $1 and version = 4",
      "delete from lot where customer_uid = $1 and version = 4",
      `update balance b set version = 3, chained_version = 3, ledger_points = 870, last_allotted_at = a.allotted_at, active_at = a.allotted_at
        from allotment a where a.bucket = b.bucket and a.customer_uid = b.customer_uid and a.version = 3 and b.customer_uid = $1`,
    ],
  ],
  [
    "the newest allotment taken away, the chain left as it was",
    "chains",
    /version 3, its chain ends at 4/,
    [
      "delete from allotment_note where customer_uid = $1 and version = 4",
      "delete from allotment where customer_uid = $1 and version = 4",
      "delete from lot where customer_uid = $1 and version = 4",
      `update balance b set version = 3, ledger_points = 870, last_allotted_at = a.allotted_at, active_at = a.allotted_at
        from allotment a where a.bucket = b.bucket and a.customer_uid = b.customer_uid and a.version = 3 and b.customer_uid = $1`,
    ],
  ],
  [
    "an allotment added by hand",
    "chains",
    /version 5, its chain ends at 4/,
    [
      `insert into allotment (bucket, customer_uid, version, uid, allotted_at, type, point_value, balance_after, source_key, app_reference,
        extends, program_version)
        select bucket, customer_uid, 5, gen_random_uuid(), allotted_at + interval '1 second', 'manual', 1000, balance_after + 1000,
          'manual/' || gen_random_uuid(), app_reference, false, program_version
        from allotment where customer_uid = $1 and version = 4`,
      `insert into lot (bucket, customer_uid, since, version, remaining, extends)
        select bucket, customer_uid, allotted_at, 5, 1000, false from allotment where customer_uid = $1 and version = 5`,
      `update balance b set version = 5, ledger_points = b.ledger_points + 1000, last_allotted_at = a.allotted_at
        from allotment a where a.bucket = b.bucket and a.customer_uid = b.customer_uid and a.version = 5 and b.customer_uid = $1`,
    ],
  ],
  [
    "the expiry of points that brought one changed, everywhere",
    "chains",
    /version 3 is the first/,
    [
      "update allotment set expires_at = '2030-01-01Z' where customer_uid = $1 and version = 3",
      "update lot set expires_at = '2030-01-01Z' where customer_uid = $1 and version = 3",
      "update balance set soonest_expires_at = '2030-01-01Z' where customer_uid = $1",
    ],
  ],
  [
    "the expiry of points that brought one taken away",
    "chains",
    /version 3 is the first/,
    ["update allotment set expires_at = null where customer_uid = $1 and version = 3"],
  ],
  [
    "the time at which points were earned changed",
    "chains",
    /version 3 is the first/,
    ["update allotment set earned_at = '2019-01-01Z' where customer_uid = $1 and version = 3"],
  ],
  [
    "the expiry of a lot alone made later",
    "own_dates",
    /version 3 expires at 2029-/,
    [
      "update lot set expires_at = '2031-01-01Z' where customer_uid = $1 and version = 3",
      "update balance set soonest_expires_at = '2031-01-01Z' where customer_uid = $1",
    ],
  ],
  [
    "the expiry of a lot alone made sooner",
    "own_dates",
    /version 3 expires at 2029-/,
    [
      "update lot set expires_at = '2028-01-01Z' where customer_uid = $1 and version = 3",
      "update balance set soonest_expires_at = '2028-01-01Z' where customer_uid = $1",
    ],
  ],
  [
    "the date from which a lot counts made later, in the balance too",
    "lot_dates",
    /version 1 was allotted at .* its lot counts from/,
    [
      "update lot set since = since + interval '300 days' where customer_uid = $1 and version = 1",
      `update balance b set oldest_since = (select min(since) from lot l where l.customer_uid = b.customer_uid and l.expires_at = 'infinity')
        where customer_uid = $1`,
    ],
  ],
  [
    "a lot given a date that its points did not bring, in the balance too",
    "returned_dates",
    /version 4 says no date; its lot expires at 2040-/,
    [
      "update lot set expires_at = '2040-01-01Z' where customer_uid = $1 and version = 4",
      "update balance set oldest_since = (select min(since) from lot l where l.customer_uid = $1 and l.expires_at = 'infinity') where customer_uid = $1",
    ],
  ],
  [
    "the lot's part in activity changed",
    "lot_dates",
    /version 4 was allotted at/,
    ["update lot set extends = false where customer_uid = $1 and version = 4"],
  ],
  [
    "what a deduction says of the lot that it drew from",
    "lot_dates",
    /the draw of version 2 counts from/,
    ["update draw set lot_since = lot_since - interval '1 day' where customer_uid = $1 and by_version = 2"],
  ],
  [
    "the type changed",
    "chains",
    /version 2 is the first/,
    ["update allotment set type = 'manual' where customer_uid = $1 and version = 2"],
  ],
  [
    "the reason changed",
    "chains",
    /version 4 is the first/,
    ["update allotment set reason_type = 'compensation' where customer_uid = $1 and version = 4"],
  ],
  [
    "the note changed",
    "notes",
    /version 4: .* was changed/,
    ["update allotment_note set note = 'other' where customer_uid = $1"],
  ],
  [
    "the actor changed",
    "notes",
    /version 4: .* was changed/,
    ["update allotment_note set actor = 'Eve' where customer_uid = $1"],
  ],
  ["a note taken away", "notes", /version 4: .* is gone/, ["delete from allotment_note where customer_uid = $1"]],
  [
    "a note taken away with its digest",
    "chains",
    /version 4 is the first/,
    [
      "delete from allotment_note where customer_uid = $1",
      "update allotment set note_digest = null where customer_uid = $1 and version = 4",
    ],
  ],
  [
    "a note added",
    "notes",
    /version 1: .* was added/,
    [
      `insert into allotment_note (bucket, customer_uid, version, note)
        select bucket, customer_uid, 1, 'because' from allotment where customer_uid = $1 and version = 1`,
    ],
  ],
  [
    "who posted it changed",
    "chains",
    /version 1 is the first/,
    ["update allotment set app_reference = 'somebody else' where customer_uid = $1 and version = 1"],
  ],
  [
    "what it was for changed",
    "chains",
    /version 2 is the first/,
    ["update allotment set object = 'line_item-9', cascade = true where customer_uid = $1 and version = 2"],
  ],
  [
    "a change with every link taken away",
    "chains",
    /not what was written, or the head/,
    ["update allotment set parent = 'order-9', chain = null where customer_uid = $1"],
  ],
  [
    "a change with the chain taken away",
    "chains",
    /its chain ends at 0/,
    [
      "update allotment set reason_type = 'other', chain = null where customer_uid = $1",
      "update balance set chained_version = 0, chain_head = null where customer_uid = $1",
    ],
  ],
  [
    "a chain put in the place of another one",
    "chains",
    /not what was written/,
    [
      `update balance b set chain_head = o.chain_head
        from balance o where o.customer_uid <> b.customer_uid and o.chain_head is not null and o.chained_version = 4 and b.customer_uid = $1`,
    ],
  ],
];
