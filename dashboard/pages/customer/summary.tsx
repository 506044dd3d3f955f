import { Progress } from "@mantine/core";
import type { ReactNode } from "react";
import type { CustomerHead, CustomerTier } from "../../../src/admin/customers/schema.ts";
import { useSession } from "../../api/session.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { DateText } from "../../ui/values/date-text.tsx";
import { Money } from "../../ui/values/money.tsx";
import { Points } from "../../ui/values/points.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./customer.module.css";
import { customerPath } from "./use-customer.ts";
import { words } from "./words.ts";

/** Balance, expiries, tier and profile, side by side. */
export function Summary({ customer }: { customer: CustomerHead }) {
  return (
    <div className={classes["summary"]}>
      <BalancePart customer={customer} />
      <ExpiryPart customer={customer} />
      {customer.tier === null ? null : <TierPart id={customer.id} tier={customer.tier} />}
      <SalesPart sales={customer.sales} />
      <PersonPart customer={customer} />
    </div>
  );
}

function Part({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={classes["part"]} aria-label={label}>
      <h2 className={classes["label"]}>{label}</h2>
      {children}
    </section>
  );
}

function BalancePart({ customer }: { customer: CustomerHead }) {
  const t = useWords(words);
  const format = useFormat();
  const { available, held, owed } = customer.balance;
  return (
    <Part label={t.available}>
      <div className={classes["figure"]}>
        <Points value={available} />
      </div>
      <div className={classes["line"]}>
        {customer.deleted_at === null ? (
          <PageLink to={`${customerPath(customer.id)}/why`} keepScroll>
            {t.whyBalance}
          </PageLink>
        ) : null}
        {held > 0 ? <span className={classes["quiet"]}>{`${t.held} ${format.points(held)}`}</span> : null}
        {owed > 0 ? <span className={classes["quiet"]}>{`${t.owed} ${format.points(owed)}`}</span> : null}
      </div>
    </Part>
  );
}

const EXPIRIES_SHOWN = 4;

function ExpiryPart({ customer }: { customer: CustomerHead }) {
  const t = useWords(words);
  const { expiries, balance } = customer;
  const rest = expiries.length - EXPIRIES_SHOWN;
  return (
    <Part label={t.expiries}>
      {expiries.length === 0 ? (
        <span className={classes["quiet"]}>{balance.delay_months === null ? t.never : t.nothingExpires}</span>
      ) : (
        expiries.slice(0, EXPIRIES_SHOWN).map(({ expires_at, points }) => (
          <div key={expires_at} className={classes["line"]}>
            <DateText at={expires_at} />
            <Points value={points} />
          </div>
        ))
      )}
      {rest > 0 ? <span className={classes["quiet"]}>{t.more(rest)}</span> : null}
    </Part>
  );
}

const WHOLE = 100;

function TierPart({ id, tier }: { id: string; tier: CustomerTier }) {
  const t = useWords(words);
  const { can } = useSession();
  const next = tier.tiers.find(({ uid }) => uid === tier.next_uid);
  return (
    <Part label={t.tier}>
      <div className={classes["line"]}>
        <strong>{tier.name}</strong>
        {can("tiers.place") ? (
          <PageLink to={`${customerPath(id)}/tier`} keepScroll>
            {t.changeTier}
          </PageLink>
        ) : null}
      </div>
      {next === undefined ? null : (
        <Progress
          value={next.requirement === 0 ? WHOLE : Math.min(WHOLE, (tier.spent / next.requirement) * WHOLE)}
          aria-label={t.progress(next.name)}
          size={6}
        />
      )}
      <TierLines tier={tier} next={next} />
    </Part>
  );
}

function TierLines({ tier, next }: { tier: CustomerTier; next: CustomerTier["tiers"][number] | undefined }) {
  const t = useWords(words);
  const format = useFormat();
  const isKeeping = tier.uid !== tier.tiers[0]?.uid;
  return (
    <>
      <span>{next === undefined ? t.highest : <ToNext next={next} />}</span>
      {isKeeping ? (
        <span className={classes["quiet"]}>
          {tier.to_keep === 0 ? t.keeps(tier.name) : t.toKeep(format.money(tier.to_keep), tier.name)}
        </span>
      ) : null}
      <div className={classes["line"]}>
        <span className={classes["quiet"]}>{`${t.nextCheck}: ${format.date(tier.deadline)}`}</span>
        {tier.minimum_tier === null ? null : <StateBadge tone="neutral">{t.floor(tier.minimum_tier)}</StateBadge>}
        {tier.kept_tier === null || tier.kept_until === null ? null : (
          <StateBadge tone="neutral">{t.kept(tier.kept_tier, format.date(tier.kept_until))}</StateBadge>
        )}
        {tier.skip_next_check ? <StateBadge tone="warn">{t.skips}</StateBadge> : null}
      </div>
    </>
  );
}

function ToNext({ next }: { next: CustomerTier["tiers"][number] }) {
  const t = useWords(words);
  const format = useFormat();
  return next.remaining === 0 ? t.reached(next.name) : t.toNext(format.money(next.remaining), next.name);
}

function SalesPart({ sales }: { sales: CustomerHead["sales"] }) {
  const t = useWords(words);
  return (
    <Part label={t.lifetimeSpend}>
      <div className={classes["figure"]}>
        <Money minor={sales.revenue_minor} />
      </div>
      <span>{t.lifetimeOrders(sales.orders)}</span>
      {sales.last_at === null ? null : (
        <div className={classes["line"]}>
          <span className={classes["quiet"]}>{t.lastOrder}</span> <DateText at={sales.last_at} />
        </div>
      )}
    </Part>
  );
}

function PersonPart({ customer }: { customer: CustomerHead }) {
  const t = useWords(words);
  const format = useFormat();
  const { can } = useSession();
  const { birthday, accepts_marketing: accepts, unsubscribed_at: unsubscribed, tags } = customer;
  const known: (readonly [string, ReactNode])[] = [
    [t.since, <DateText key="since" at={customer.created_at} />],
    [t.birthday, birthday === null ? null : format.birthday(birthday)],
    [t.marketing, accepts === null ? null : accepts ? t.agreed : t.declined],
    [t.unsubscribed, unsubscribed === null ? null : <DateText key="unsubscribed" at={unsubscribed} />],
    [t.tags, tags.length === 0 ? null : tags.join(", ")],
  ];
  return (
    <Part label={t.customer}>
      {known.map(([label, value]) =>
        value === null || value === undefined ? null : (
          <div key={label} className={classes["line"]}>
            <span className={classes["quiet"]}>{label}</span> {value}
          </div>
        ),
      )}
      {customer.deleted_at === null && can("customers.change") ? (
        <div className={classes["line"]}>
          <PageLink to={`${customerPath(customer.id)}/edit`} keepScroll>
            {t.edit}
          </PageLink>
          {can("customers.manage") ? (
            <PageLink to={`${customerPath(customer.id)}/merge`} keepScroll>
              {t.merge}
            </PageLink>
          ) : null}
        </div>
      ) : null}
    </Part>
  );
}
