import { WIRE_POINTS_MAX } from "../wire/limits.ts";

/** Point Allotment Types (interface.md 2.3). `earns`: an allotment of this type that extends makes its balance active (program.md 7). */
export const ALLOTMENT_TYPES = {
  coupon_reimbursement: { earns: false },
  coupon_cancellation: { earns: false },
  csv: { earns: false },
  deletion: { earns: false },
  expiration: { earns: false },
  manual: { earns: false },
  refund: { earns: false },
  api: { earns: true },
  flow: { earns: false },
  fulfillment: { earns: true },
  tax: { earns: true },
  reward: { earns: true },
} as const satisfies Record<string, { earns: boolean }>;

export type AllotmentType = keyof typeof ALLOTMENT_TYPES;

export const ALLOTMENT_TYPE_NAMES = Object.keys(ALLOTMENT_TYPES) as readonly AllotmentType[]; // cast: keys of the constant above

/** The maximum points of a balance, and of one allotment (program.md 1). */
export const POINTS_MAX = BigInt(WIRE_POINTS_MAX);
