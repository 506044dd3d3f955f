import type { HomeData, HomeTier } from "../../../src/admin/home/schema.ts";
import { Section } from "../../ui/layout/section.tsx";
import { DataTable } from "../../ui/lists/data-table.tsx";
import { Time } from "../../ui/values/time.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./home.module.css";
import { tierLink } from "./list-links.ts";
import { words } from "./words.ts";

/** Shades of one colour, from the lowest tier to the highest. */
const SHADES = 6;

/** Customers by tier: one bar, and a table whose rows link to the members. */
export function TiersPart({ customers }: { customers: HomeData["customers"] }) {
  const t = useWords(words);
  const format = useFormat();
  if (customers === null) {
    return (
      <Section title={t.tiers}>
        <p className={classes["hint"]}>{t.notCounted}</p>
      </Section>
    );
  }
  const { count, counted_at, tiers } = customers;
  return (
    <Section
      title={t.tiers}
      action={
        <span className={classes["hint"]}>
          {t.members(format.number(count))} · {t.counted}
          <Time at={counted_at} />
        </span>
      }
    >
      <div className={classes["bar"]} aria-hidden="true">
        {tiers.map(({ uid, customers: members }, index) =>
          members === 0 ? null : (
            <span key={uid} data-shade={shadeOf(index, tiers.length)} style={{ flexGrow: members }} />
          ),
        )}
      </div>
      <TiersTable tiers={tiers} count={count} />
    </Section>
  );
}

function TiersTable({ tiers, count }: { tiers: readonly HomeTier[]; count: number }) {
  const t = useWords(words);
  const format = useFormat();
  const share = (members: number) => (count === 0 ? "—" : format.percent(members / count));
  return (
    <DataTable
      caption={t.tiers}
      rows={tiers}
      rowKey={({ uid }) => uid}
      rowLink={({ uid }) => tierLink(uid)}
      empty={t.notCounted}
      columns={[
        {
          key: "tier",
          header: t.tier,
          render: ({ uid, name }) => (
            <span className={classes["tierName"]}>
              <span
                className={classes["dot"]}
                data-shade={shadeOf(
                  tiers.findIndex((tier) => tier.uid === uid),
                  tiers.length,
                )}
              />
              {name}
            </span>
          ),
        },
        { key: "customers", header: t.customers, align: "right", render: ({ customers }) => format.number(customers) },
        { key: "share", header: t.share, align: "right", render: ({ customers }) => share(customers) },
      ]}
    />
  );
}

function shadeOf(index: number, count: number): number {
  return count <= 1 ? SHADES : 1 + Math.round((index * (SHADES - 1)) / (count - 1));
}
