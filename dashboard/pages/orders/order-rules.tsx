import type { ReactNode } from "react";
import type { OrderDetail } from "../../../src/admin/orders/schema.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./order.module.css";
import { words } from "./order-words.ts";
import { useRateText } from "./use-rate-text.ts";

type Rules = NonNullable<OrderDetail["rules"]>;
type Fact = readonly [label: string, value: ReactNode];

/** The snapshot of rules by which the order earns. */
export function OrderRules({ order }: { order: OrderDetail }) {
  const t = useWords(words);
  const { rules } = order;
  const earning = useEarningFacts(rules);
  const settings = useSettingFacts(rules);
  if (rules === null) return null;
  return (
    <Section title={t.rules}>
      <span className={classes["quiet"]}>{t.rulesHint}</span>
      <div className={classes["facts"]}>
        <Facts items={earning} />
        <Facts items={settings} />
      </div>
    </Section>
  );
}

function useEarningFacts(rules: Rules | null): readonly Fact[] {
  const t = useWords(words);
  const format = useFormat();
  const rateText = useRateText();
  if (rules === null) return [];
  const { program_version: version, bonuses } = rules;
  const bonusTexts = bonuses.map(({ collection_id, name, rate }) => `${name ?? collection_id}: ${rateText(rate)}`);
  return [
    [
      t.program,
      <PageLink key="program" to={`/program/versions?open=${version}`}>
        {t.version(format.number(version))}
      </PageLink>,
    ],
    [t.tier, rules.tier],
    [t.rate, rateText(rules.rate)],
    [t.campaign, rules.campaign ?? t.noCampaign],
    ...(bonusTexts.length === 0 ? [] : [[t.bonuses, bonusTexts.join(", ")] satisfies Fact]),
  ];
}

function useSettingFacts(rules: Rules | null): readonly Fact[] {
  const t = useWords(words);
  if (rules === null) return [];
  const named = (names: Readonly<Record<string, string>>, name: string) => names[name] ?? name;
  const { points, spend } = rules.moved_in;
  const withPoints = spend ? t.movedInBoth : t.movedInPoints;
  const moved = points ? withPoints : spend ? t.movedInSpend : null;
  const apart = rules.separate_tax ? t.apartTax : t.withTax;
  return [
    [t.rounding, named(t.roundings, rules.rounding)],
    [t.awardOn, named(t.awardOns, rules.award_on)],
    [t.pendingDays, String(rules.pending_days)],
    [t.taxRule, rules.include_tax ? apart : t.withoutTax],
    [t.shortfall, named(t.shortfalls, rules.shortfall)],
    [t.excludedTags, rules.excluded_product_tags.length === 0 ? "—" : rules.excluded_product_tags.join(", ")],
    [t.excludedCustomer, rules.is_customer_excluded ? t.yes : t.no],
    ...(moved === null ? [] : [[t.movedIn, moved] satisfies Fact]),
  ];
}
