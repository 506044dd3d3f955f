// Made from openapi.json by `npm run client:types`; a test compares the two.

/** Schemas that the document names. */
export interface Schemas {
  AcceptedExport: {
    uid: string;
    /** `processing`, `ready` or `failed`. */
    status: string;
    start_datetime: string;
    end_datetime: string;
    requested_at: string;
  };
  AllotmentExplanation: {
    data: {
      uid: string;
      customer_id: string;
      type: "coupon_reimbursement" | "coupon_cancellation" | "csv" | "deletion" | "expiration" | "manual" | "refund" | "api" | "flow" | "fulfillment" | "tax" | "reward";
      point_value: number;
      allotted_at: string;
      /** Its place in the customer's ledger. */
      version: number;
      balance_before: number;
      balance_after: number;
      /** The natural key that lets it count once. */
      source_key: string;
      object: string | null;
      parent: string | null;
      action: string | null;
      origin: string | null;
      extends_expiration: boolean;
      /** When its points were earned, if they were posted later. */
      earned_at: string | null;
      /** The points' own expiry date, which no setting changes. */
      own_date: string | null;
      /** Points that were owed until it set the balance. */
      settled_debt: number | null;
      program: {
        version: number;
        author: string | null;
        valid_from: string | null;
      };
      asked_by: {
        app_reference: string;
        /** Its name, where a credential asked. */
        credential: string | null;
        actor: string | null;
        reason_type: string | null;
        note: string | null;
      };
      received: (Schemas["ReceivedEvent"])[];
      draws: (Schemas["ExplainedDraw"])[];
      used_by: (Schemas["ExplainedDraw"])[];
      lots: ({
        part: number;
        remaining: number;
        expires_at: string | null;
      })[];
      order: Schemas["ExplainedOrder"] | null;
      coupon: Schemas["ExplainedCoupon"] | null;
      expiration: Schemas["ExplainedExpiration"] | null;
      /** The same as sentences, with times in the store's time zone. */
      words: (string)[];
    };
  };
  AllotmentReason: {
    /** Reason type. */
    type: "compensation" | "coupon" | "expiration" | "fulfillment" | "refund" | "reward" | "system_fix" | "test_allotment";
    /** Free context, shown on the dashboard. */
    note?: string | null;
  };
  AnyErrorResponse: Schemas["ErrorResponse"] | Schemas["ErrorResponseV2"];
  BalanceAccount: {
    lines: ({
      /** What moved the points, in the customer's words. */
      kind: "moved_in" | "merge" | "order" | "refund" | "signup" | "newsletter" | "birthday" | "review" | "reward" | "coupon" | "coupon_return" | "reservation" | "compensation" | "correction" | "manual" | "import" | "undo" | "workflow" | "other" | "debt" | "expiration" | "deletion";
      count: number;
      given: number;
      taken: number;
      points: number;
    })[];
    /** Orders that gave points; null: the history is too long to count. */
    orders: number | null;
    expiries: ({
      expires_at: string | null;
      points: number;
    })[];
    /** Available points that expire after `expiries`, or never. */
    later: number;
  };
  BalanceExplanation: {
    data: {
      as_of: string;
      program_version: number;
      version: number;
      point_balance: Schemas["PointBalance"];
      since: string | null;
      history: (Schemas["ExplainedHistory"])[];
      opening: number;
      by_type: ({
        type: "coupon_reimbursement" | "coupon_cancellation" | "csv" | "deletion" | "expiration" | "manual" | "refund" | "api" | "flow" | "fulfillment" | "tax" | "reward";
        count: number;
        given: number;
        taken: number;
        points: number;
      })[];
      account: Schemas["BalanceAccount"];
      /** `opening` and all of `by_type`; what the lots hold. */
      ledger_points: number;
      held_points: number;
      /** At their date, and not written off yet. */
      due_points: number;
      /** Deducted from the next points earned; null: the request was for a past moment. */
      owed_points: number | null;
      lots: (Schemas["ExplainedLot"])[];
      /** At most 250 are shown, soonest expiry first. */
      lot_count: number;
      /** The same as sentences, with times in the store's time zone. */
      words: (string)[];
    };
  };
  Capture: {
    /** Points to capture; absent: all that are held. The rest is released. */
    point_value?: number;
  };
  Cart: {
    /** Of all amounts; absent: the store's. */
    currency?: string;
    /** Whether prices include the tax. */
    taxes_included?: boolean;
    lines: (Schemas["CartLine"])[];
  };
  CartLine: {
    product_id: string | number;
    /** 1 when absent. */
    quantity?: number;
    /** Of one piece, major units. */
    price: string;
    /** Of the whole line, major units. */
    discount?: string;
    /** Of the whole line, major units. */
    tax?: string;
  };
  CartLinePoints: {
    product_id: string;
    points: number;
  };
  CartPoints: {
    data: {
      /** In total, once the order is paid and fully shipped. */
      points: number;
      /** In the order of the cart. */
      lines: (Schemas["CartLinePoints"])[];
    };
  };
  Coupon: {
    data: {
      /** Id of the coupon. */
      id: string;
      /** What the buyer enters. */
      code: string;
      /** Its worth in minor units of the store's currency. */
      currency_value: number;
      /** Points that it cost. */
      point_value: number;
      /** Points of it that have come back. */
      points_reimbursed: number;
      /** Whether it is a discount at a point of sale: so far always false. */
      pos_discount: boolean;
      /** Whether its points came back as part of a larger action: a refund or the cancellation of its order. */
      reimbursement_cascade: boolean;
      /** Until when it can be used. */
      expires_at: string;
    };
  };
  CreatePointBalanceExportResponse: {
    data: Schemas["AcceptedExport"];
  };
  CreatedPointAllotment: {
    data: {
      /** Id of the allotment. */
      id: string;
      inserted_at: string;
      point_value: number;
      /** The same id, in the spelling of the field table. */
      uid: string;
      point_balance: Schemas["PointBalance"];
    };
  };
  CreatedPointAllotmentMinimal: {
    data: {
      /** Id of the allotment. */
      id: string;
      inserted_at: string;
      point_value: number;
    };
  };
  CreatedSubscription: {
    status: number;
    data: {
      /** UTC, six fractional digits */
      activated_at: string;
      active: boolean;
      callback_url: string;
      topic: string;
      uid: string;
      /** Verifies `webhook-signature`; shown only when the subscription is created. */
      secret?: string;
    };
  };
  Customer: {
    /** The customer's storefront id. */
    id: string;
    /** The point balance's id. */
    uid: string;
    email: string | null;
    name: string | null;
    birthday: string | null;
    accepts_marketing: boolean | null;
    account_enabled: boolean | null;
    created_at: string;
  };
  CustomerChange: {
    /** In any case; kept in lower case. */
    email?: string | null;
    name?: string | null;
    /** How the name is read (furigana). Customers are found by it; no response contains it. */
    name_reading?: string | null;
    /** `YYYY-MM-DD`, or `--MM-DD` if the year is unknown. */
    birthday?: string | null;
    accepts_marketing?: boolean | null;
    /** When the customer stated `accepts_marketing`. A consent later than an unsubscription from mails ends it. */
    consent_updated_at?: string;
    account_enabled?: boolean | null;
    /** The language of mails to the customer, a BCP 47 tag. */
    locale?: string | null;
  };
  CustomerCoupon: {
    /** What the customer enters. */
    code: string;
    value: {
      /** Major units. */
      amount: string;
      currency: string;
      /** Minor units. */
      raw_amount: number;
    };
    /** Points that it cost. */
    points: number;
    /** Until when it can be used. */
    expires_at: string;
  };
  CustomerPointAllotment: {
    /** Id of the allotment. */
    uid: string;
    /** Increase or decrease applied to the balance. */
    point_value: number;
    /** When the allotment entered the service. */
    inserted_at: string;
    /** When it was fully processed, UTC without a zone. */
    allotted_at: string;
    /** The same instant, in the spelling of the field table. */
    alloted_at: string;
    /** Point Allotment Type. */
    type: string;
    /** Id of the point balance. */
    point_balance_uid: string;
    /** Whether it belongs to a larger action, such as an order. */
    allotment_cascade: boolean | null;
    /** Source application. */
    app_reference: string;
    /** Object involved, such as `line_item-42`. */
    object: string | null;
    /** Parent item, such as `order-7`. */
    parent: string | null;
    /** Action that caused it, such as `fulfillment-3`. */
    action: string | null;
    /** Null where the platform gives none. */
    event_id: number | null;
    /** Points of this allotment that are used up. */
    points_deducted: number;
    point_balance: Schemas["PointBalance"];
  };
  CustomerPointAllotmentList: {
    data: (Schemas["CustomerPointAllotment"])[];
    meta: Schemas["Paging"];
  };
  CustomerStanding: {
    name: string;
    spent: {
      /** Major units. */
      amount: string;
      currency: string;
      /** Minor units. */
      raw_amount: number;
    };
    /** The next check. */
    deadline: string;
    next: Schemas["NextTier"] | null;
    to_keep: {
      /** Major units. */
      amount: string;
      currency: string;
      /** Minor units. */
      raw_amount: number;
    } | null;
  };
  CustomerSummary: {
    data: {
      /** Available. */
      points: number;
      worth: {
        /** Major units. */
        amount: string;
        currency: string;
        /** Minor units. */
        raw_amount: number;
      };
      /** The store's: dates are its days. */
      time_zone: string;
      /** The next three dates, soonest first. */
      expiries: ({
        expires_at: string;
        points: number;
      })[];
      tier: Schemas["CustomerStanding"] | null;
      redemption: Schemas["Redemption"] | null;
      /** Neither used nor expired; at most ten, sorted by expiry, soonest first. */
      coupons: (Schemas["CustomerCoupon"])[];
    };
  };
  CustomerTier: {
    /** The customer's storefront id. */
    id: string;
    /** The present tier's name. */
    tier: string;
    tier_uid: string;
    /** No automatic demotion below this tier. */
    minimum_tier: string | null;
    skip_next_check: boolean;
    /** Major units. */
    amount: string;
    currency: string;
    /** The next check. */
    deadline: string;
    /** Minor units. */
    raw_amount: number;
    /** The next tier up. */
    tier_name: string | null;
    advancement_data: {
      /** Major units. */
      amount: string;
      currency: string;
      /** The next check. */
      deadline: string;
      /** Minor units. */
      raw_amount: number;
      spent_requirement: Schemas["Money"] | null;
      tier_name: string | null;
      tier_uid: string | null;
      tiers: (Schemas["TierProgress"])[];
    };
    maintenance_data: {
      /** Major units. */
      amount: string;
      currency: string;
      /** The next check. */
      deadline: string;
      /** Minor units. */
      raw_amount: number;
      spent_requirement: Schemas["Money"];
    };
  };
  DeleteWebhookSubscriptionRequest: {
    /** An event's topic. `point_balances/exports` is accepted as `point_balances/export`. */
    topic?: "point_allotment/cascade" | "point_balance/update" | "point_balances/export" | "point_balances/exports";
  };
  DeletedSubscription: {
    status: number;
  };
  Error: {
    /** The HTTP status. */
    status: string;
    /** What was refused. */
    title: string;
    /** The stable name of the refusal, for programs to compare. `docs/errors.md` lists all of them. */
    code: string;
    /** What was expected, or what to do. */
    detail?: string;
    source?: Schemas["ErrorSource"];
  };
  ErrorResponse: {
    errors: (Schemas["Error"])[];
    /** The id of the request, if the request had an `X-Request-Id` or the status is 500 or above. */
    request_id?: string;
  };
  ErrorResponseV2: {
    /** The HTTP status. */
    status: number;
    /** What was refused. */
    title: string;
    errors: (Schemas["ErrorV2"])[];
    /** The id of the request, if the request had an `X-Request-Id` or the status is 500 or above. */
    request_id?: string;
  };
  ErrorSource: {
    pointer?: string;
    parameter?: string;
  };
  ErrorV2: {
    /** What was refused. */
    title: string;
    /** The stable name of the refusal, for programs to compare. `docs/errors.md` lists all of them. */
    code: string;
    /** What was expected, or what to do. */
    detail?: string;
    source?: Schemas["ErrorSource"];
  };
  Events: {
    data: ({
      /** Where to read on after this event. */
      cursor: string;
      topic: "point_allotment/cascade";
      /** The version of the customer's points. */
      version: number;
      /** The customer's balance right after it. */
      balance_after: number;
      payload: {
        /** UTC without a zone, six fractional digits */
        allotted_at: string;
        customer: {
          /** The platform's id of the customer: a number if it is one. A service whose POINTKEEPER_PLATFORM is set sends `<platform>_id` instead. */
          storefront_id: number | string;
        };
        point_value: number;
        type: string;
        uid: string;
      };
    } | {
      /** Where to read on after this event. */
      cursor: string;
      topic: "tier/change";
      payload: {
        /** UTC without a zone, six fractional digits: since when the tier applies */
        changed_at: string;
        customer: {
          /** The platform's id of the customer: a number if it is one. A service whose POINTKEEPER_PLATFORM is set sends `<platform>_id` instead. */
          storefront_id: number | string;
        };
        from: {
          uid: string;
          name: string | null;
        } | null;
        to: {
          uid: string;
          name: string | null;
        } | null;
        /** api, check, program, manual or merge */
        cause: string;
        uid: string;
      };
    })[];
    meta: {
      has_more: boolean;
      next_cursor: string;
    };
  };
  ExplainedCoupon: {
    id: string;
    code: string;
    point_value: number;
    currency_value: number;
    state: string;
    issued_at: string;
    expires_at: string;
    /** The order. */
    used_by: string | null;
  };
  ExplainedDraw: {
    points: number;
    uid: string;
    type: "coupon_reimbursement" | "coupon_cancellation" | "csv" | "deletion" | "expiration" | "manual" | "refund" | "api" | "flow" | "fulfillment" | "tax" | "reward";
    allotted_at: string;
    object: string | null;
    parent: string | null;
  };
  ExplainedExpiration: {
    mode: string;
    delay_months: number | null;
    sweep: string;
    shortened_at: string | null;
    /** The last extending activity before it. */
    active_at: string | null;
    lots: ({
      uid: string;
      points: number;
      since: string;
      own_date: string | null;
      /** Until when the points were good. */
      expired_at: string | null;
    })[];
  };
  ExplainedHistory: {
    /** The app where the customer had points before. */
    source: string;
    before: string;
    earned: number;
    used: number;
    expired: number;
    adjusted: number;
    /** What came by imports that are not undone: part of `by_type`. */
    moved_in: number;
  };
  ExplainedLine: {
    line_id: string;
    title: string;
    quantity: number;
    /** Minor units, before discounts. */
    gross: number;
    /** Minor units. */
    discount: number;
    /** Of the whole line, minor units. */
    tax: number;
    /** The ordered amount on which it earns, in minor units, with or without tax as the settings say. */
    base: number;
    /** The part of it that refunds and removals left, 0 to 1. */
    left: string;
    rate: Schemas["Rate"] | null;
    bonus: Schemas["Rate"] | null;
    /** Points before rounding, bonus included. */
    points_exact: string;
    /** The rule by which it earns nothing: live_order (a test or cancelled order), store_currency, customer_tags, goods_only (gift cards, tips, fees), product_tags. */
    excluded_by: string | null;
  };
  ExplainedLot: {
    uid: string | null;
    type: string | null;
    point_value: number | null;
    allotted_at: string | null;
    object: string | null;
    parent: string | null;
    order_name: string | null;
    line_title: string | null;
    remaining: number;
    expires_at: string | null;
  };
  ExplainedOrder: {
    id: string;
    awardable_points: number;
    points_awarded: number;
    points_redeemed: number;
    forgiven_points: number;
    rules: Schemas["OrderRules"];
    lines: (Schemas["ExplainedLine"])[];
    cause: string | null;
    step: Schemas["RoundingStep"] | null;
    wanted: number | null;
    taken: number | null;
    /** Points that should have been taken but were not, because the balance was too small. */
    forgiven: number | null;
    /** Requested but not given: set off against points of the order that could not be taken back. */
    set_off: number | null;
    outcome: string | null;
    /** Whether the stored facts still give what was requested; false after an edit. */
    is_reproduced: boolean | null;
    postings: (Schemas["OrderPosting"])[];
  };
  ExplainedRefund: {
    refund_id: string;
    created_at: string;
    /** Minor units; null: not known. */
    money_moved: number | null;
    lines: ({
      line_id: string;
      quantity: number;
      restock: string;
      subtotal: number;
    })[];
  };
  Export: {
    uid: string;
    /** `processing`, `ready` or `failed`. */
    status: string;
    start_datetime: string;
    end_datetime: string;
    requested_at: string;
    finished_at: string | null;
    /** Customers in the file. */
    row_count: number | null;
    byte_count: number | null;
    /** Where the file is, for one hour; null until it is ready. */
    url: string | null;
  };
  ExportRequest: {
    /** ISO 8601; a plain date is a day of the store. */
    start_datetime: string;
    /** ISO 8601, excluded; a plain date is included. */
    end_datetime: string;
  };
  FlowAnswer: {
    return_value: {
      /** Points given, or taken when below 0. */
      point_value: number;
      /** Points available right after it. */
      point_balance: number;
    };
  };
  GetCustomerDataResponse: { [name: string]: unknown };
  GetCustomerResponse: {
    data: Schemas["Customer"];
  };
  GetCustomerTierResponse: {
    data: Schemas["CustomerTier"];
  };
  GetPointBalanceExportResponse: {
    data: Schemas["Export"];
  };
  LedgerCheckpoint: {
    data: {
      /** A signed note (C2SP tlog-checkpoint): the origin, how many allotments it covers, the root of their tree (RFC 6962, SHA-256), then the same of the audit log and the time; an Ed25519 signature. */
      checkpoint: string;
      /** `<origin>+<id>+<base64>`, the public key of the store's ledger. */
      public_key: string;
    };
  };
  LiabilityMovements: {
    data: ({
      /** Id of the allotment. */
      uid: string;
      allotted_at: string;
      type: string;
      /** Id of the customer. */
      storefront_id: string | null;
      /** How many of the requested points it moved; never negative. */
      points: number;
      /** What was paid for the goods with which the points were issued; null: none were issued, or an earlier version awarded them, which did not store it. */
      sales: string | null;
    })[];
    meta: {
      /** Null: there are no more. */
      next_cursor: string | null;
    };
  };
  LiabilityReport: {
    data: {
      month: string;
      /** The first month that there is a report of. */
      first_month: string;
      /** The present month. */
      last_month: string;
      /** The last month that is closed. */
      closed_month: string | null;
      /** When this month was closed; null: it is open. */
      closed_at: string | null;
      closed_by: string | null;
      /** By which the months begin. */
      time_zone: string;
      currency: string;
      /** All allotments up to this time are counted. */
      counted_to: string | null;
      total: {
        /** Points owed when the month began. */
        opening: number;
        /** Given by orders, rewards, the interface, workflows, files and staff. */
        issued: number;
        /** Points of coupons that ended unused or whose order was refunded. */
        returned: number;
        /** A deduction that was undone. */
        restored: number;
        /** Moved to a customer by a merge. */
        moved_in: number;
        /** Taken by coupons, reservations, the interface and workflows. */
        redeemed: number;
        /** Written off at their date. */
        expired: number;
        /** Taken back because an order was refunded, edited or cancelled. */
        taken_back: number;
        /** Taken by staff or a file. */
        corrected: number;
        /** Of customers who were deleted. */
        forfeited: number;
        /** Moved from a customer by a merge. */
        moved_out: number;
        /** Points owed when it ended, or now. */
        closing: number;
      };
      origins: ({
        origin: string;
        /** Points owed when the month began. */
        opening: number;
        /** Given by orders, rewards, the interface, workflows, files and staff. */
        issued: number;
        /** Points of coupons that ended unused or whose order was refunded. */
        returned: number;
        /** A deduction that was undone. */
        restored: number;
        /** Moved to a customer by a merge. */
        moved_in: number;
        /** Taken by coupons, reservations, the interface and workflows. */
        redeemed: number;
        /** Written off at their date. */
        expired: number;
        /** Taken back because an order was refunded, edited or cancelled. */
        taken_back: number;
        /** Taken by staff or a file. */
        corrected: number;
        /** Of customers who were deleted. */
        forfeited: number;
        /** Moved from a customer by a merge. */
        moved_out: number;
        /** Points owed when it ended, or now. */
        closing: number;
      })[];
      cohorts: ({
        month: string;
        /** Points owed when the month began. */
        opening: number;
        /** Given by orders, rewards, the interface, workflows, files and staff. */
        issued: number;
        /** Points of coupons that ended unused or whose order was refunded. */
        returned: number;
        /** A deduction that was undone. */
        restored: number;
        /** Moved to a customer by a merge. */
        moved_in: number;
        /** Taken by coupons, reservations, the interface and workflows. */
        redeemed: number;
        /** Written off at their date. */
        expired: number;
        /** Taken back because an order was refunded, edited or cancelled. */
        taken_back: number;
        /** Taken by staff or a file. */
        corrected: number;
        /** Of customers who were deleted. */
        forfeited: number;
        /** Moved from a customer by a merge. */
        moved_out: number;
        /** Points owed when it ended, or now. */
        closing: number;
      })[];
      /** Booked in this month for an earlier one, by the month of the cause. */
      late: ({
        month: string;
        kind: string;
        points: number;
        movements: number;
      })[];
      /** Null: there is no estimate. */
      revenue: {
        /** Percent of the points issued. */
        expected_redemption: string;
        /** Stand-alone price of a point, in major units. */
        point_price: string;
        total: {
          /** Deferred when the month began. */
          opening: string;
          /** Allocated to points issued in the month. */
          additions: string;
          /** Of points that were taken back; negative where corrections were undone. */
          taken_back: string;
          /** Recognised for points redeemed, at what each was allocated. */
          redemption: string;
          /** Recognised for points that are not expected to be redeemed. */
          breakage: string;
          /** Recognised for a change of the expected redemption; may be negative. */
          reestimate: string;
          /** Deferred when the month ended: opening + additions - the others. */
          closing: string;
          /** Paid for the goods with which the points of the month were issued; `additions` is the share of the points in it. */
          sales: string;
          /** Points of origin sale that were issued in the month without an order: without a price, they have no part in it. Null: not known yet, for a while after the upgrade to the first version that tells them apart. */
          unpriced: string | null;
        };
        cohorts: ({
          /** The month in which the points were issued. */
          month: string;
          /** Deferred when the month began. */
          opening: string;
          /** Allocated to points issued in the month. */
          additions: string;
          /** Of points that were taken back; negative where corrections were undone. */
          taken_back: string;
          /** Recognised for points redeemed, at what each was allocated. */
          redemption: string;
          /** Recognised for points that are not expected to be redeemed. */
          breakage: string;
          /** Recognised for a change of the expected redemption; may be negative. */
          reestimate: string;
          /** Deferred when the month ended: opening + additions - the others. */
          closing: string;
          /** Paid for the goods with which the points of the month were issued; `additions` is the share of the points in it. */
          sales: string;
          /** Points of origin sale that were issued in the month without an order: without a price, they have no part in it. Null: not known yet, for a while after the upgrade to the first version that tells them apart. */
          unpriced: string | null;
          /** Allocated to date. */
          allocated: string;
          /** Recognised to date. */
          recognised: string;
          /** Percent of the points issued. */
          expected_redemption: string;
        })[];
      } | null;
      estimates: ({
        month: string;
        /** Of one month of issue alone; null: of all. */
        cohort: string | null;
        /** Percent of the points issued. */
        redemption: string;
        /** Stand-alone price of a point, in major units. */
        point_price: string | null;
        set_at: string;
        set_by: string;
      })[];
    };
  };
  ListTierChangesResponse: {
    data: (Schemas["TierChange"])[];
    meta: Schemas["Paging"];
  };
  ListTiersResponse: {
    data: (Schemas["TierRule"])[];
  };
  MergedCustomers: {
    data: ({
      /** The storefront id that the customer had. */
      id: string;
      /** The point balance's id. */
      uid: string;
      merged_at: string;
    })[];
  };
  Money: {
    /** Major units. */
    amount: string;
    currency: string;
    /** Minor units. */
    raw_amount: number;
  };
  NeutralCustomer: {
    /** An id of the platform: opaque, every digit kept */
    customer_id: string | number;
    email?: string | null;
    name?: string | null;
    name_reading?: string | null;
    account_enabled?: boolean;
    accepts_marketing?: boolean;
    /** ISO 8601; without a zone it is UTC */
    consent_updated_at?: string;
    birthday?: string | null;
    /** ja-JP */
    locale?: string;
    /** ISO 8601; without a zone it is UTC */
    created_at?: string;
    tags?: (string)[];
    tags_added?: (string)[];
    tags_removed?: (string)[];
  };
  NeutralEvent: {
    type: "CustomerUpserted" | "CustomerDeleted" | "CustomerMerged" | "OrderPlaced" | "OrderUpdated" | "OrderPaid" | "OrderFulfilled" | "OrderRefunded" | "OrderCancelled" | "OrderDeleted" | "ProductUpserted" | "CouponUsed" | "CouponDeleted" | "CouponReleased" | "FlowAdjustRequested" | "ShopUninstalled" | "ShopRedacted" | "CustomerDataRequested";
    payload: Schemas["NeutralOrder"] | Schemas["NeutralCustomer"] | Schemas["NeutralFulfillmentOfOrder"] | Schemas["NeutralRefundOfOrder"] | Schemas["NeutralPayload"];
    /** The same key is taken once */
    delivery_key?: string;
    platform?: string;
    /** ISO 8601; without a zone it is UTC */
    occurred_at?: string;
    /** ISO 8601; without a zone it is UTC */
    entity_version?: string;
    test?: boolean;
  };
  NeutralEventBatch: {
    events: (Schemas["NeutralEvent"])[];
  };
  NeutralEvents: Schemas["NeutralEvent"] | Schemas["NeutralEventBatch"] | (Schemas["NeutralEvent"])[];
  NeutralFulfillment: {
    /** An id of the platform: opaque, every digit kept */
    fulfillment_id: string | number;
    status?: "success" | "pending" | "cancelled" | "error" | "failure";
    /** ISO 8601; without a zone it is UTC */
    created_at?: string;
    /** ISO 8601; without a zone it is UTC */
    updated_at?: string;
    lines?: ({
      /** An id of the platform: opaque, every digit kept */
      line_id: string | number;
      /** At most 6 decimal places */
      quantity: number;
    })[];
  };
  NeutralFulfillmentOfOrder: {
    /** An id of the platform: opaque, every digit kept */
    order_id: string | number;
    fulfillment: Schemas["NeutralFulfillment"];
  };
  NeutralOrder: {
    /** An id of the platform: opaque, every digit kept */
    order_id: string | number;
    customer_id?: string | number | null;
    email?: string | null;
    /** ISO 8601; without a zone it is UTC */
    processed_at?: string;
    /** ISO 8601; without a zone it is UTC */
    updated_at?: string;
    paid_at?: string | null;
    cancelled_at?: string | null;
    financial_status?: string;
    /** `fulfilled` fulfils what is open */
    fulfillment_status?: string;
    /** Integer minor units of an ISO 4217 currency */
    discount_total?: {
      minor: number | string;
      currency: string;
    };
    shop_currency?: string;
    taxes_included?: boolean;
    lines?: (Schemas["NeutralOrderLine"])[];
    coupons?: ({
      code: string;
      /** Integer minor units of an ISO 4217 currency */
      amount?: {
        minor: number | string;
        currency: string;
      };
      type?: string;
    })[];
    fulfillments?: (Schemas["NeutralFulfillment"])[];
    refunds?: (Schemas["NeutralRefund"])[];
  };
  NeutralOrderLine: {
    /** An id of the platform: opaque, every digit kept */
    line_id: string | number;
    product_id?: string | number | null;
    variant_id?: string | number | null;
    title?: string;
    /** At most 6 decimal places */
    quantity: number;
    current_quantity?: number | null;
    unit_price: Schemas["UnitPrice"];
    discounts?: ({
      code?: string | null;
      discount_ref?: string;
      /** Integer minor units of an ISO 4217 currency */
      amount: {
        minor: number | string;
        currency: string;
      };
    })[];
    /** Integer minor units of an ISO 4217 currency */
    tax?: {
      minor: number | string;
      currency: string;
    };
    kind?: "product" | "gift_card" | "tip" | "custom" | "fee";
    /** Default: true; false: it earns as soon as the order is paid */
    requires_shipping?: boolean;
    tags?: (string)[];
    collections?: (string | number)[];
  };
  NeutralPayload: { [name: string]: unknown };
  NeutralRefund: {
    /** An id of the platform: opaque, every digit kept */
    refund_id: string | number;
    /** ISO 8601; without a zone it is UTC */
    created_at?: string;
    lines?: ({
      /** An id of the platform: opaque, every digit kept */
      line_id: string | number;
      /** At most 6 decimal places */
      quantity: number;
      restock?: "unknown" | "no_restock" | "cancel" | "return" | "legacy_restock";
      /** Integer minor units of an ISO 4217 currency */
      subtotal: {
        minor: number | string;
        currency: string;
      };
      /** Integer minor units of an ISO 4217 currency */
      tax?: {
        minor: number | string;
        currency: string;
      };
    })[];
    /** Integer minor units of an ISO 4217 currency */
    shipping?: {
      minor: number | string;
      currency: string;
    };
    /** Integer minor units of an ISO 4217 currency */
    shipping_tax?: {
      minor: number | string;
      currency: string;
    };
    /** Integer minor units of an ISO 4217 currency */
    other_adjustments?: {
      minor: number | string;
      currency: string;
    };
    money_moved?: {
      minor: number | string;
      currency: string;
    } | null;
  };
  NeutralRefundOfOrder: {
    /** An id of the platform: opaque, every digit kept */
    order_id: string | number;
    refund: Schemas["NeutralRefund"];
  };
  NewCoupon: {
    /** The customer's storefront id, or the customer's e-mail address. */
    customer_id: string | number;
    /** Points that the coupon costs; they are taken from the balance immediately. */
    point_value: number;
    /** Products it holds for; absent: all. */
    product_ids?: (string | number)[];
  };
  NewPointAllotment: {
    /** The customer's storefront id, or the customer's e-mail address. */
    customer_id: string | number;
    /** Points to award (positive) or take (negative). */
    point_value: number;
    reason?: Schemas["AllotmentReason"] | null;
    /** When these points expire, regardless of the program; a date includes that whole day. In the future, at most 100 years ahead. Only with a positive `point_value`. Null: as the program says. */
    expires_at?: string | null;
    /** When these points were earned, 1970 or later and not in the future: where each allotment expires by itself, its expiry counts from then. Only with a positive `point_value`. Null: now. */
    earned_at?: string | null;
  };
  NewPointBalance: {
    /** The new balance. */
    balance: number;
  };
  NewRedemption: {
    /** To take for the coupon. */
    points: number;
  };
  NewReservation: {
    /** The customer's storefront id, or the customer's e-mail address. */
    customer_id: string | number;
    /** Points to hold. */
    point_value: number;
    /** After this many seconds, whatever was not captured is released automatically. */
    ttl_seconds: number;
  };
  NewSubscription: {
    /** An event's topic. `point_balances/exports` is accepted as `point_balances/export`. */
    topic: "point_allotment/cascade" | "point_balance/update" | "point_balances/export" | "point_balances/exports";
    /** An https URL without credentials, at a public address. */
    callback_url: string;
  };
  NextTier: {
    name: string;
    requirement: {
      /** Major units. */
      amount: string;
      currency: string;
      /** Minor units. */
      raw_amount: number;
    };
    remaining: {
      /** Major units. */
      amount: string;
      currency: string;
      /** Minor units. */
      raw_amount: number;
    };
  };
  OrderPointData: {
    /** Total points the order can award. */
    awardable_points: number;
    /** Points already awarded for the order. */
    points_awarded: number;
    /** Points used to discount the order. */
    points_redeemed: number;
  };
  OrderPointDataList: {
    /** By order id; unknown orders are absent. */
    data: { [name: string]: Schemas["OrderPointData"] };
  };
  OrderPosting: {
    cause: string;
    wanted: number;
    taken: number;
    outcome: string;
    uid: string | null;
    allotted_at: string | null;
  };
  OrderPreview: {
    data: {
      /** Null: not known; it would earn as a new customer. */
      customer_id: string | null;
      /** The time for which rules, tier and campaign were chosen. */
      processed_at: string;
      /** In total, once paid and shipped whole. */
      points: number;
      program_version: number;
      /** The store's. */
      currency: string;
      tier: {
        uid: string;
        name: string;
      };
      rate: Schemas["Rate"];
      rate_origin: "tier" | "campaign";
      /** Its name, where one ran. */
      campaign: string | null;
      rounding: "up" | "down" | "half_up";
      include_tax: boolean;
      lines: (Schemas["PreviewLine"])[];
    };
  };
  OrderRules: {
    program_version: number;
    /** The store's. */
    currency: string;
    tier: {
      uid: string;
      name: string;
    };
    rate: Schemas["Rate"];
    rate_origin: "tier" | "campaign";
    /** Its name, where one ran. */
    campaign: string | null;
    rounding: "up" | "down" | "half_up";
    include_tax: boolean;
  };
  Paging: {
    /** The requested page; 1 if a cursor was given. */
    page: number;
    per_page: number;
    /** Whether another page follows. */
    has_more: boolean;
    /** Where to read on, now or later. */
    next_cursor: string | null;
  };
  PartlyTakenEvents: {
    data: ({
      /** The sender's, or a hash of the event. */
      delivery_key: string;
      /** `new`: to be processed; `waiting`: for something that has not arrived yet; `failed`: after several tries. An event that was received before has its present status. `refused`: it has faults, and nothing of it is stored. */
      status: "new" | "waiting" | "done" | "failed" | "quarantined" | "refused";
      /** Why it waits, failed or will be tried again. */
      error?: string;
      /** Parts of an accepted event that contradict each other or earn nothing, with pointers into the body. Absent: there are none. */
      warnings?: ({
        pointer: string;
        detail: string;
      })[];
      /** The faults of a refused event. A batch lists at most 100, with the first fault of each event before the others. */
      errors?: ({
        status: string;
        title: string;
        /** The stable name of the refusal. */
        code: string;
        detail: string;
        source: {
          /** Into the body of the request. */
          pointer: string;
        };
      })[];
      /** All faults of a refused event. */
      error_count?: number;
    })[];
  };
  PointAllotment: {
    /** Id of the allotment. */
    uid: string;
    /** Increase or decrease applied to the balance. */
    point_value: number;
    /** When the allotment entered the service. */
    inserted_at: string;
    /** When it was fully processed, UTC without a zone. */
    allotted_at: string;
    /** The same instant, in the spelling of the field table. */
    alloted_at: string;
    /** Point Allotment Type. */
    type: string;
    /** Id of the point balance. */
    point_balance_uid: string;
    /** Whether it belongs to a larger action, such as an order. */
    allotment_cascade: boolean | null;
    /** Source application. */
    app_reference: string;
    /** Object involved, such as `line_item-42`. */
    object: string | null;
    /** Parent item, such as `order-7`. */
    parent: string | null;
    /** Action that caused it, such as `fulfillment-3`. */
    action: string | null;
    /** Null where the platform gives none. */
    event_id: number | null;
    /** Points of this allotment that are used up. */
    points_deducted: number;
  };
  PointAllotmentCascadeEvent: {
    /** UTC without a zone, six fractional digits */
    allotted_at: string;
    customer: {
      /** The platform's id of the customer: a number if it is one. A service whose POINTKEEPER_PLATFORM is set sends `<platform>_id` instead. */
      storefront_id: number | string;
    };
    point_value: number;
    type: string;
    uid: string;
  };
  PointAllotmentList: {
    data: (Schemas["PointAllotment"])[];
    meta: Schemas["Paging"];
  };
  PointAllotmentProof: {
    data: {
      uid: string;
      /** The allotment's facts, a JSON array: the exact text that is hashed. `leaf_fields` names its elements. */
      leaf: string;
      leaf_fields: (string)[];
      /** Which leaf of the tree it is, from 0. */
      index: number;
      /** Base64 of the hashes beside the path from the leaf up to the root (RFC 6962, 2.1.1). */
      path: (string)[];
      /** A signed note (C2SP tlog-checkpoint): the origin, how many allotments it covers, the root of their tree (RFC 6962, SHA-256), then the same of the audit log and the time; an Ed25519 signature. */
      checkpoint: string;
      /** `<origin>+<id>+<base64>`, the public key of the store's ledger. */
      public_key: string;
    };
  };
  PointBalance: {
    /** Storefront id of the customer. */
    id: string;
    /** Months until points expire; null: never. */
    expiration_delay: number | null;
    /** When the points currently expire; null: never, or there are none. */
    expires_at: string | null;
    /** Points available. */
    point_balance: number;
    /** Only while points are owed: they had been spent before a refund took them back, and are deducted from the next points earned. */
    points_owed?: number;
  };
  PointBalanceAnswer: {
    data: Schemas["PointBalance"];
  };
  PointBalanceUpdateEvent: {
    accepts_marketing: boolean;
    account_enabled: boolean;
    balance: number;
    birthday: string | null;
    customer: {
      /** The platform's id of the customer: a number if it is one. A service whose POINTKEEPER_PLATFORM is set sends `<platform>_id` instead. */
      storefront_id: number | string;
    };
    name: string | null;
    point_expiration_date: string | null;
    uid: string;
  };
  PointBalancesExportEvent: {
    url: string;
  };
  PreviewLine: {
    line_id: string;
    title: string;
    quantity: number;
    /** Minor units, before discounts. */
    gross: number;
    /** Minor units. */
    discount: number;
    /** Of the whole line, minor units. */
    tax: number;
    /** The ordered amount on which it earns, in minor units, with or without tax as the settings say. */
    base: number;
    /** The part of it that refunds and removals left, 0 to 1. */
    left: string;
    rate: Schemas["Rate"] | null;
    bonus: Schemas["Rate"] | null;
    /** Points before rounding, bonus included. */
    points_exact: string;
    /** The rule by which it earns nothing: live_order (a test or cancelled order), store_currency, customer_tags, goods_only (gift cards, tips, fees), product_tags. */
    excluded_by: string | null;
    /** Of its allotments. */
    points: number;
  };
  Product: {
    /** The product's storefront id. */
    id: string;
    tags: (string)[] | null;
    collections: (string)[] | null;
  };
  ProductChange: {
    tags?: (string)[];
    /** Ids of the collections that the product is in. */
    collections?: (string | number)[];
  };
  PutCustomerResponse: {
    data: Schemas["Customer"];
  };
  Rate: {
    point_value: number;
    /** Minor units. */
    currency_value: number;
  };
  ReceivedEvent: {
    topic: string;
    adapter: string;
    delivery_key: string;
    received_at: string;
    state: string;
  };
  RedeemedCoupon: {
    data: Schemas["CustomerCoupon"];
  };
  Redemption: {
    point_worth: {
      /** Major units. */
      amount: string;
      currency: string;
      /** Minor units. */
      raw_amount: number;
    };
    /** How long a new coupon can be used. */
    lifetime_hours: number;
  };
  Reservation: {
    data: {
      /** Id of the reservation. */
      id: string;
      /** Storefront id of the customer. */
      customer_id: string;
      /** Points that it was made for. */
      point_value: number;
      /** Points of it that were taken. */
      captured: number;
      /** `released` also once its time is over. */
      state: "held" | "captured" | "released";
      /** When it ends by itself; null: only when it is captured or released. */
      expires_at: string | null;
      point_balance: Schemas["PointBalance"];
    };
  };
  RoundingStep: {
    kind: "award" | "refund" | "cancellation" | "correction";
    /** Of an award. */
    line_id: string | null;
    /** Null: awarded on payment, or no award. */
    fulfillment_id: string | null;
    units: number | null;
    /** The tax that is awarded apart. */
    is_tax: boolean;
    /** Sum of what had shipped, before rounding. */
    exact_before: string;
    exact_after: string;
    /** The same, rounded: what had been given. */
    before: number;
    /** What is to have been given. */
    after: number;
    refund: Schemas["ExplainedRefund"] | null;
  };
  SandboxClock: {
    /** The service's time, ISO 8601. */
    now: string;
  };
  SetPointBalanceAnswer: {
    data: {
      /** Id of the allotment. */
      id: string;
      /** The same id. */
      uid: string;
      /** The difference applied. */
      point_value: number;
      /** When the balance was updated. */
      inserted_at: string;
      point_balance: Schemas["PointBalance"];
    };
  };
  Status: {
    status: string;
  };
  Subscriptions: {
    data: ({
      /** UTC, six fractional digits */
      activated_at: string;
      active: boolean;
      callback_url: string;
      topic: string;
      uid: string;
      shop_uid: string;
    })[];
  };
  TakenDelivery: { [name: string]: unknown };
  TakenEvents: {
    data: ({
      /** The sender's, or a hash of the event. */
      delivery_key: string;
      /** `new`: to be processed; `waiting`: for something that has not arrived yet; `failed`: after several tries. An event that was received before has its present status. */
      status: "new" | "waiting" | "done" | "failed" | "quarantined";
      /** Why it waits, failed or will be tried again. */
      error?: string;
      /** Parts of an accepted event that contradict each other or earn nothing, with pointers into the body. Absent: there are none. */
      warnings?: ({
        pointer: string;
        detail: string;
      })[];
    })[];
  };
  TierChange: {
    /** When the new tier took effect; for a check its scheduled time, however late it ran. */
    changed_at: string;
    /** As the tier was called then. */
    from: string | null;
    from_uid: string | null;
    to: string | null;
    to_uid: string | null;
    /** `check`, `program`, `api`, `manual` or `merge`. */
    cause: string;
    spend: Schemas["Money"] | null;
    /** The check that decided it. */
    check_at: string | null;
    /** The credential or person that requested it. */
    actor: string | null;
  };
  TierExplanation: {
    data: {
      id: string;
      as_of: string;
      program_version: number;
      tier: string;
      tier_uid: string;
      minimum_tier: string | null;
      skip_next_check: boolean;
      /** A floor until `kept_until`. */
      kept_tier: string | null;
      kept_until: string | null;
      on_miss: string;
      last_change: {
        changed_at: string;
        from: string | null;
        to: string | null;
        cause: string;
        actor: string | null;
        check_at: string | null;
        /** Minor units, in the window of that check. */
        spend: number | null;
      } | null;
      next_check: string;
      window_start: string;
      spent: {
        amount: string;
        currency: string;
        raw_amount: number;
      };
      /** The part of `spent` before the customer's orders here. */
      spent_elsewhere: {
        amount: string;
        currency: string;
        raw_amount: number;
      };
      orders: ({
        id: string;
        credited_at: string;
        spend: number;
      })[];
      to_keep: {
        amount: string;
        currency: string;
        raw_amount: number;
      };
      next_tier: string | null;
      to_rise: {
        amount: string;
        currency: string;
        raw_amount: number;
      } | null;
      /** The same as sentences, with times in the store's time zone. */
      words: (string)[];
    };
  };
  TierProgress: {
    /** Major units. */
    amount: string;
    currency: string;
    name: string;
    /** Points per minor unit of currency. */
    ratio: number;
    /** Minor units. */
    raw_amount: number;
    spent_requirement: Schemas["Money"];
    uid: string;
  };
  TierRule: {
    uid: string;
    name: string;
    default: boolean;
    /** To enter the tier, minor units. */
    currency_spent_requirement: number;
    /** Points given per `currency_value`. */
    point_value: number;
    /** Minor units. */
    currency_value: number;
    /** While the campaign runs; null: its default rate applies, or there is none. */
    campaign_point_value: number | null;
    /** Minor units, while the campaign runs. */
    campaign_currency_value: number;
  };
  TierUpdate: {
    /** A tier's uid or name. */
    tier?: string;
    /** A tier's uid or name; null clears it. */
    minimum_tier?: string | null;
    skip_next_check?: boolean;
  };
  UnitPrice: {
    minor: number | string;
    currency: string;
  };
  UpcomingExpiries: {
    data: ({
      /** When the points expire. */
      expires_at: string;
      /** How many do. */
      point_value: number;
    })[];
  };
  UpdateCustomerTierResponse: {
    data: Schemas["UpdatedTier"];
  };
  UpdateProductResponse: {
    data: Schemas["Product"];
  };
  UpdatedTier: {
    id: string;
    tier: string;
    minimum_tier: string | null;
    skip_next_check: boolean;
  };
}

/** What each operation takes and returns, by its method and its path; `{}` stands for a parameter of the path. */
export interface Operations {
  /** A month's journal entries as a CSV file */
  "GET /api/storefront/reports/liability/journal": {
    query: { month: string };
    body: undefined;
    answer: unknown;
  };
  /** Adjust points by Shopify Flow */
  "POST /intake/shopify/flow": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["FlowAnswer"];
  };
  /** Allotments and changes of tiers as events, resumable by cursor */
  "GET /api/storefront/events": {
    query: { cursor?: string; limit?: number; include?: "tiers"; wait?: number };
    body: undefined;
    answer: Schemas["Events"];
  };
  /** Allotments of a customer */
  "GET /api/storefront/point_allotments/{}": {
    query: { page?: number; per_page?: number; direction?: string; cursor?: string; type?: "coupon_reimbursement" | "coupon_cancellation" | "csv" | "deletion" | "expiration" | "manual" | "refund" | "api" | "flow" | "fulfillment" | "tax" | "reward"; before?: string; after?: string; point_balance_uid?: string };
    body: undefined;
    answer: Schemas["CustomerPointAllotmentList"];
  };
  /** Allotments of the store */
  "GET /api/storefront/point_allotments": {
    query: { page?: number; per_page?: number; direction?: string; cursor?: string; type?: "coupon_reimbursement" | "coupon_cancellation" | "csv" | "deletion" | "expiration" | "manual" | "refund" | "api" | "flow" | "fulfillment" | "tax" | "reward"; before?: string; after?: string };
    body: undefined;
    answer: Schemas["PointAllotmentList"];
  };
  /** Capture a reservation */
  "POST /api/storefront/reservations/{}/capture": {
    query: Record<never, never>;
    body: Schemas["Capture"];
    answer: Schemas["Reservation"];
  };
  /** Create a webhook subscription */
  "POST /api/storefront/webhooks": {
    query: Record<never, never>;
    body: Schemas["NewSubscription"];
    answer: Schemas["CreatedSubscription"];
  };
  /** Create an allotment */
  "POST /api/storefront/point_allotments": {
    query: Record<never, never>;
    body: Schemas["NewPointAllotment"];
    answer: Schemas["CreatedPointAllotment"] | Schemas["CreatedPointAllotmentMinimal"];
  };
  /** Create or change a customer */
  "PUT /api/storefront/customers/{}": {
    query: Record<never, never>;
    body: Schemas["CustomerChange"];
    answer: Schemas["PutCustomerResponse"] | {
      data: Schemas["Customer"];
    };
  };
  /** Customers who were merged into a customer */
  "GET /api/storefront/customers/{}/merged": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["MergedCustomers"];
  };
  /** Delete a webhook subscription */
  "DELETE /api/storefront/webhooks": {
    query: { topic?: "point_allotment/cascade" | "point_balance/update" | "point_balances/export" | "point_balances/exports" };
    body: Schemas["DeleteWebhookSubscriptionRequest"];
    answer: Schemas["DeletedSubscription"];
  };
  /** Delete an unused coupon */
  "DELETE /api/storefront/coupons/{}": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["Coupon"];
  };
  /** Everything stored about a customer */
  "GET /api/storefront/customers/{}/data": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["GetCustomerDataResponse"];
  };
  /** Explain a balance */
  "GET /api/storefront/point_balances/{}/explanation": {
    query: { language?: "en" | "ja"; as_of?: string; since?: string };
    body: undefined;
    answer: Schemas["BalanceExplanation"];
  };
  /** Explain a tier */
  "GET /api/storefront/point_balances/{}/tier/explanation": {
    query: { language?: "en" | "ja"; as_of?: string };
    body: undefined;
    answer: Schemas["TierExplanation"];
  };
  /** Explain an allotment */
  "GET /api/storefront/point_allotments/uid/{}/explanation": {
    query: { language?: "en" | "ja" };
    body: undefined;
    answer: Schemas["AllotmentExplanation"];
  };
  /** Fetch the file of an export */
  "GET /exports/{}": {
    query: { expires?: string; signature?: string };
    body: undefined;
    answer: unknown;
  };
  /** Issue a coupon */
  "POST /api/storefront/coupons": {
    query: Record<never, never>;
    body: Schemas["NewCoupon"];
    answer: Schemas["Coupon"];
  };
  /** List the changes of a customer's tier, newest first */
  "GET /api/storefront/point_balances/{}/tier_changes": {
    query: { page?: number; per_page?: number };
    body: undefined;
    answer: Schemas["ListTierChangesResponse"];
  };
  /** List the tier rules */
  "GET /api/storefront/tiers": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["ListTiersResponse"];
  };
  /** List webhook subscriptions */
  "GET /api/storefront/webhooks": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["Subscriptions"];
  };
  /** Live */
  "GET /health": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["Status"];
  };
  /** Move the test clock forward */
  "PUT /sandbox/clock": {
    query: Record<never, never>;
    body: {
      /** The service's time, ISO 8601. */
      now: string;
    };
    answer: Schemas["SandboxClock"];
  };
  /** Order point data */
  "GET /api/storefront/orders": {
    query: { ids: string };
    body: undefined;
    answer: Schemas["OrderPointDataList"];
  };
  /** Point balance of a customer */
  "GET /api/storefront/point_balances/{}": {
    query: { as_of?: string };
    body: undefined;
    answer: Schemas["PointBalanceAnswer"];
  };
  /** Points and tier of the token's customer */
  "GET /api/customer/summary": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["CustomerSummary"];
  };
  /** Points owed and revenue deferred, by month */
  "GET /api/storefront/reports/liability": {
    query: { month?: string };
    body: undefined;
    answer: Schemas["LiabilityReport"];
  };
  /** Points that a product or cart would earn the token's customer */
  "POST /api/customer/cart": {
    query: Record<never, never>;
    body: Schemas["Cart"];
    answer: Schemas["CartPoints"];
  };
  /** Points that an order or cart would earn */
  "POST /api/storefront/orders/preview": {
    query: Record<never, never>;
    body: unknown;
    answer: Schemas["OrderPreview"];
  };
  /** Prove an allotment */
  "GET /api/storefront/point_allotments/uid/{}/proof": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["PointAllotmentProof"];
  };
  /** Read a coupon */
  "GET /api/storefront/coupons/{}": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["Coupon"];
  };
  /** Read a customer */
  "GET /api/storefront/customers/{}": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["GetCustomerResponse"];
  };
  /** Read a customer's tier */
  "GET /api/storefront/point_balances/{}/tier": {
    query: { as_of?: string };
    body: undefined;
    answer: Schemas["GetCustomerTierResponse"];
  };
  /** Read a reservation */
  "GET /api/storefront/reservations/{}": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["Reservation"];
  };
  /** Read an export */
  "GET /api/storefront/point_balances/export/{}": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["GetPointBalanceExportResponse"];
  };
  /** Read the test clock */
  "GET /sandbox/clock": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["SandboxClock"];
  };
  /** Ready */
  "GET /ready": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["Status"];
  };
  /** Receive a delivery of shopify */
  "POST /intake/shopify/webhooks": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["TakenDelivery"];
  };
  /** Receive a delivery of woocommerce */
  "POST /intake/woocommerce/webhooks": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["TakenDelivery"];
  };
  /** Receive neutral events of any platform or script */
  "POST /intake/events": {
    query: Record<never, never>;
    body: Schemas["NeutralEvents"];
    answer: Schemas["TakenEvents"] | Schemas["PartlyTakenEvents"];
  };
  /** Redeem points of the token's customer for a coupon */
  "POST /api/customer/coupons": {
    query: Record<never, never>;
    body: Schemas["NewRedemption"];
    answer: Schemas["RedeemedCoupon"];
  };
  /** Release a reservation */
  "POST /api/storefront/reservations/{}/release": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["Reservation"];
  };
  /** Request a CSV export of balances */
  "POST /api/storefront/point_balances/export": {
    query: Record<never, never>;
    body: Schemas["ExportRequest"];
    answer: Schemas["CreatePointBalanceExportResponse"];
  };
  /** Reserve points */
  "POST /api/storefront/reservations": {
    query: Record<never, never>;
    body: Schemas["NewReservation"];
    answer: Schemas["Reservation"];
  };
  /** Set a point balance */
  "POST /api/storefront/point_balances/{}/set_balances": {
    query: Record<never, never>;
    body: Schemas["NewPointBalance"];
    answer: Schemas["SetPointBalanceAnswer"];
  };
  /** Set a product's tags and collections */
  "PUT /api/storefront/products/{}": {
    query: Record<never, never>;
    body: Schemas["ProductChange"];
    answer: Schemas["UpdateProductResponse"];
  };
  /** The allotments behind a figure of points */
  "GET /api/storefront/reports/liability/movements": {
    query: { month: string; kind: "issued" | "returned" | "restored" | "moved_in" | "redeemed" | "expired" | "taken_back" | "corrected" | "forfeited" | "moved_out"; cohort?: string; origin?: "promotion" | "compensation" | "purchase" | "migration" | "sale" | "unstated"; cause?: string; cursor?: string };
    body: undefined;
    answer: Schemas["LiabilityMovements"];
  };
  /** The newest checkpoint */
  "GET /api/storefront/ledger/checkpoint": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["LedgerCheckpoint"];
  };
  /** Upcoming expiries of a customer */
  "GET /api/storefront/point_balances/{}/expiries": {
    query: Record<never, never>;
    body: undefined;
    answer: Schemas["UpcomingExpiries"];
  };
  /** Update a customer's tier */
  "POST /api/storefront/point_balances/{}/tiers": {
    query: Record<never, never>;
    body: Schemas["TierUpdate"];
    answer: Schemas["UpdateCustomerTierResponse"];
  };
}
