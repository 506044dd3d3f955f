import { Button, Skeleton } from "@mantine/core";
import type { CustomerHead } from "../../../src/admin/customers/schema.ts";
import type { Address } from "../../api/prefetch-queries.ts";
import { useSession } from "../../api/session.ts";
import { Page } from "../../ui/layout/page.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { PageNotFound } from "../../ui/states/page-not-found.tsx";
import { useNavigateTo } from "../../ui/urls/use-navigate-to.ts";
import { useParam } from "../../ui/urls/use-param.ts";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { useWords } from "../../words/use-words.ts";
import { AccountPanel } from "./account-panel.tsx";
import { AdjustPanel } from "./adjust-panel.tsx";
import classes from "./customer.module.css";
import { EditPanel } from "./edit-panel.tsx";
import { MergePanel } from "./merge-panel.tsx";
import { MergedPart } from "./merged-part.tsx";
import { isPart, Parts, tabOf } from "./parts.tsx";
import { Summary } from "./summary.tsx";
import { TierPanel } from "./tier-panel.tsx";
import { timelineQueryAt } from "./timeline.tsx";
import { customerPath, headQuery, useCustomer } from "./use-customer.ts";
import { WaitingNotices } from "./waiting-notices.tsx";
import { AllotmentWhyPanel } from "./why-panels.tsx";
import { words } from "./words.ts";

/** A customer: balance, explanations, and actions of staff. Lists and panels have their own addresses. */
export function CustomerPage() {
  const id = useParam("id") ?? "";
  return <Shown key={id} id={id} />; // another customer's page has none of this one's rows, input and dialogs
}

function Shown({ id }: { id: string }) {
  const t = useWords(words);
  const { data: customer, error, refetch } = useCustomer(id);
  const tab = useParam("tab");
  const back = { to: "/customers", label: t.customers };
  if (tab !== null && !isPart(tab) && !PANELS.includes(tab)) return <PageNotFound />;
  if (customer === undefined) {
    return (
      <Page title={t.customer} back={back}>
        {error === null ? <Bones /> : <ErrorState error={error} onRetry={() => void refetch()} />}
      </Page>
    );
  }
  return (
    <Page
      title={customer.name ?? customer.email ?? (customer.deleted_at === null ? customer.id : t.deleted)}
      subtitle={<Subtitle customer={customer} />}
      action={<MainAction customer={customer} />}
      back={back}
    >
      <WaitingNotices customer={customer} />
      <Summary customer={customer} />
      <MergedPart customer={customer} />
      <Parts customer={customer} />
      <Panels customer={customer} />
    </Page>
  );
}

CustomerPage.prefetchedQueries = ({ search, params: { id = "", tab } }: Address) => [
  headQuery(id),
  ...(tabOf(tab) === "ledger" ? [timelineQueryAt(id, search)] : []),
];

function MainAction({ customer }: { customer: CustomerHead }) {
  const t = useWords(words);
  const { can } = useSession();
  const go = useNavigateTo();
  if (customer.deleted_at !== null || !can("points.adjust")) return null;
  return <Button onClick={() => go(`${customerPath(customer.id)}/adjust`, { keepScroll: true })}>{t.adjust}</Button>;
}

function Subtitle({ customer }: { customer: CustomerHead }) {
  const t = useWords(words);
  const { id, name, name_reading: reading, email } = customer;
  return (
    <span className={classes["subtitle"]}>
      {customer.deleted_at === null ? null : <StateBadge tone="bad">{t.deleted}</StateBadge>}
      {customer.account_enabled === false ? <StateBadge tone="warn">{t.disabled}</StateBadge> : null}
      {reading === null ? null : <span lang="ja">{reading}</span>}
      {email === null || name === null ? null : <CopyId value={email} />}
      <CopyId value={id} />
    </span>
  );
}

const PANELS = ["why", "adjust", "edit", "merge", "tier"];

/** The panel in the address. */
function Panels({ customer }: { customer: CustomerHead }) {
  const tab = useParam("tab");
  const uid = useParam("uid");
  const { can } = useSession();
  const isThere = customer.deleted_at === null;
  if (tab === "ledger" && uid !== null) return <AllotmentWhyPanel customer={customer} uid={uid} />;
  if (tab === "why" && isThere) return <AccountPanel customer={customer} />;
  if (tab === "adjust" && isThere && can("points.adjust")) return <AdjustPanel customer={customer} />;
  if (tab === "edit" && isThere && can("customers.change")) return <EditPanel customer={customer} />;
  if (tab === "merge" && isThere && can("customers.manage")) return <MergePanel customer={customer} />;
  if (tab === "tier" && customer.tier !== null && can("tiers.place"))
    return <TierPanel customer={customer} tier={customer.tier} />;
  return null;
}

function Bones() {
  return (
    <div className={classes["bones"]} aria-busy="true">
      <Skeleton height={116} />
      <Skeleton height={36} />
      <Skeleton height={320} />
    </div>
  );
}
