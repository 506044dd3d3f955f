import { VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";
import type { HomeData } from "../../../src/admin/home/schema.ts";
import { useSession } from "../../api/session.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./home.module.css";
import { activeLink, flowLink, lapsingLink, ledgerLink } from "./list-links.ts";
import { words } from "./words.ts";

/** The figures of the period in a row; each links to its list. */
export function Figures({ data }: { data: HomeData }) {
  const t = useWords(words);
  const format = useFormat();
  const { from, to } = data;
  const { can } = useSession();
  const { days_30, days_90, days_365 } = data.active;
  return (
    <dl className={classes["figures"]}>
      <Figure
        label={t.outstanding}
        value={format.points(data.outstanding.points)}
        hint={t.worth(format.money(data.outstanding.worth_minor))}
        to={ledgerLink({ from, to })}
      />
      <FlowFigures data={data} />
      <Figure
        label={t.redemption}
        about={t.redemptionHint}
        value={data.redemption_rate === null ? "—" : format.percent(data.redemption_rate)}
        hint={data.redemption_rate_before === null ? "" : t.before(format.percent(data.redemption_rate_before))}
        to={flowLink("spent", data)}
      />
      <Figure
        label={t.active}
        about={t.activeAbout}
        value={format.number(days_30)}
        hint={t.activeHint(format.number(days_90), format.number(days_365))}
        to={can("segments.change") ? activeLink(t.active) : null}
      />
      <LapsingFigure lapsing={data.lapsing ?? null} />
    </dl>
  );
}

/** Customers who order less often than before; `lapsing` null: they are not counted yet, or the node is of an older version. */
function LapsingFigure({ lapsing }: { lapsing: HomeData["lapsing"] }) {
  const t = useWords(words);
  const format = useFormat();
  const { can } = useSession();
  return (
    <Figure
      label={t.lapsing}
      about={t.lapsingAbout}
      value={lapsing === null ? "—" : format.number(lapsing.customers)}
      hint={lapsing === null ? "" : t.lapsingHint(format.number(lapsing.this_month))}
      to={lapsing === null ? null : can("segments.change") ? lapsingLink(t.lapsing) : "/growth"}
    />
  );
}

/** Together they are the change of the points outstanding. */
const FLOWS = ["issued", "spent", "expired", "refunded", "returned", "adjusted"] as const;

function FlowFigures({ data }: { data: HomeData }) {
  const t = useWords(words);
  const about: Partial<Record<(typeof FLOWS)[number], string>> = { issued: t.issuedAbout, adjusted: t.adjustedAbout };
  const format = useFormat();
  return FLOWS.map((flow) => {
    const now = data.totals[flow];
    const before = data.totals_before[flow];
    const hint =
      before === 0
        ? t.before(format.points(before))
        : t.compared(format.change((now - before) / Math.abs(before)), format.points(before));
    const value = format.points(now, flow === "adjusted");
    return (
      <Figure key={flow} label={t[flow]} about={about[flow]} value={value} hint={hint} to={flowLink(flow, data)} />
    );
  });
}

interface FigureProps {
  label: string;
  value: ReactNode;
  hint: ReactNode;
  /** What it counts: under the pointer, and for people who only hear it. */
  about?: string | undefined;
  /** Null: this person can open no list of it. */
  to: string | null;
}

function Figure({ label, value, hint, about, to }: FigureProps) {
  return (
    <div className={classes["figure"]} title={about}>
      <dt className={classes["figureLabel"]}>{label}</dt>
      <dd className={classes["figureValue"]}>
        {to === null ? (
          value
        ) : (
          <PageLink to={to} className={classes["figureLink"] ?? ""}>
            {value}
          </PageLink>
        )}
      </dd>
      <dd className={classes["figureHint"]}>
        {hint}
        {about === undefined ? null : <VisuallyHidden> {about}</VisuallyHidden>}
      </dd>
    </div>
  );
}
