import type { EarningRule } from "../plan/earning-draft.ts";
import { bonusCollection } from "./bonus-collection.ts";
import { customerTags } from "./customer-tags.ts";
import { goodsOnly } from "./goods-only.ts";
import { lineTax } from "./line-tax.ts";
import { liveOrder } from "./live-order.ts";
import { movedIn } from "./moved-in.ts";
import { productTags } from "./product-tags.ts";
import { rate } from "./rate.ts";
import { storeCurrency } from "./store-currency.ts";

/** The rules of what an order earns, in the order in which they apply: each gets the lines that the previous one left. */
export const earningRules: readonly EarningRule[] = [
  liveOrder,
  storeCurrency,
  customerTags,
  movedIn,
  goodsOnly,
  lineTax,
  productTags,
  rate,
  bonusCollection,
];
