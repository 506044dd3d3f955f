import type { CustomerHead } from "../../../src/admin/customers/schema.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { useCurrentInView } from "../../ui/urls/use-current-in-view.ts";
import { useParam } from "../../ui/urls/use-param.ts";
import { useWords } from "../../words/use-words.ts";
import { CouponList } from "./coupon-list.tsx";
import classes from "./customer.module.css";
import { HistoryList } from "./history-list.tsx";
import { NoteList } from "./note-list.tsx";
import { OrderList } from "./order-list.tsx";
import { ReservationList } from "./reservation-list.tsx";
import { TierChangeList } from "./tier-change-list.tsx";
import { Timeline } from "./timeline.tsx";
import { customerPath } from "./use-customer.ts";
import { words } from "./words.ts";

const TABS = ["ledger", "orders", "coupons", "reservations", "tiers", "notes", "history"] as const;
type Tab = (typeof TABS)[number];

/** Whether the customer's page has a list of this name. */
export function isPart(tab: string): boolean {
  return TABS.some((each) => each === tab);
}

/** Returns the list in the address; the ledger if the address names another part of the page, or none. */
export function tabOf(asked: string | null | undefined): Tab {
  return TABS.find((each) => each === asked) ?? "ledger";
}

/** The customer's lists, one at a time; the ledger first. */
export function Parts({ customer }: { customer: CustomerHead }) {
  const t = useWords(words);
  const tab = tabOf(useParam("tab"));
  const row = useCurrentInView<HTMLUListElement>(tab);
  return (
    <>
      <nav aria-label={t.lists}>
        <ul ref={row} className={classes["tabs"]}>
          {TABS.map((each) => (
            <li key={each}>
              <PageLink
                to={`${customerPath(customer.id)}${each === "ledger" ? "" : `/${each}`}`}
                className={classes["tab"] ?? ""}
                aria-current={each === tab ? "page" : undefined}
                keepScroll
              >
                {each === "notes" && customer.notes > 0 ? t.notesTab(customer.notes) : t.tabs[each]}
              </PageLink>
            </li>
          ))}
        </ul>
      </nav>
      <Part tab={tab} customer={customer} />
    </>
  );
}

function Part({ tab, customer }: { tab: Tab; customer: CustomerHead }) {
  switch (tab) {
    case "orders":
      return <OrderList id={customer.id} />;
    case "coupons":
      return <CouponList id={customer.id} />;
    case "reservations":
      return <ReservationList id={customer.id} />;
    case "notes":
      return <NoteList customer={customer} />;
    case "history":
      return <HistoryList id={customer.id} />;
    case "tiers":
      return <TierChangeList id={customer.id} />;
    default:
      return <Timeline customer={customer} />;
  }
}
