import type { OrderDetail } from "../../../src/admin/orders/schema.ts";
import type { Format } from "../../ui/values/format.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import type { Wide } from "../../words/words.ts";
import classes from "./order.module.css";
import { timelineWords } from "./timeline-words.ts";

/** Why the order has given no points, or keeps none, in one sentence. */
export function WhyNothing({ order }: { order: OrderDetail }) {
  const t = useWords(timelineWords);
  const format = useFormat();
  const sentence = reasonOf(order, t, format);
  if (sentence === null) return null;
  return (
    <p className={classes["why"]} data-kind={order.state}>
      {sentence}
    </p>
  );
}

type Texts = Wide<(typeof timelineWords)["en"]>;

function reasonOf(order: OrderDetail, t: Texts, format: Format): string | null {
  const { cancelled_at, rules, total, email, due_at } = order;
  switch (order.state) {
    case "cancelled":
      return cancelled_at === null ? t.wasCancelledAtSomeTime : t.wasCancelled(format.minute(cancelled_at));
    case "test":
      return t.isTest;
    case "other_currency":
      return t.otherCurrency(total?.currency ?? "?", rules?.currency ?? "?");
    case "no_program":
      return t.noProgram;
    case "waiting":
      return email === null ? t.waitsForCustomer : t.waits(email);
    case "nothing":
      return t.nothing;
    case "pending":
      if (due_at !== null) return t.later(format.minute(due_at));
      return rules?.award_on === "paid" ? t.notYetPaid : t.notYet;
    default:
      return null;
  }
}
