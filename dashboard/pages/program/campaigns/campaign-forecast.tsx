import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { ShownForecast } from "../../../../src/admin/program/forecast-schema.ts";
import { ApiError } from "../../../api/api-error.ts";
import { apiAsk } from "../../../api/client.ts";
import { Section } from "../../../ui/layout/section.tsx";
import { DataTable } from "../../../ui/lists/data-table.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { Facts } from "../../../ui/values/facts.tsx";
import { useWords } from "../../../words/use-words.ts";
import type { Campaign, ProgramChange } from "../document.ts";
import { partOf } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import classes from "../program.module.css";
import { overlapsOf } from "./campaigns.ts";
import figures from "./forecast.module.css";
import { forecastWords } from "./forecast-words.ts";

/** The service is called when the person stops typing. */
const PAUSE_MS = 500;

interface CampaignForecastProps extends ProgramChange {
  /** The version of the program that the document changes. */
  readonly baseVersion: number;
  /** The campaign's place in the changed document. */
  readonly index: number;
  readonly isNamed?: boolean;
}

/** The points of a campaign if its days were like the last comparable ones. */
export function CampaignForecast({ index, isNamed = false, baseVersion, ...change }: CampaignForecastProps) {
  const t = useWords(forecastWords);
  const { document } = change;
  const canAsk = isReplayable(document.campaigns, index);
  const { forecast, isBehind } = useForecast({ ...change, baseVersion, index }, canAsk);
  const name = document.campaigns[index]?.name ?? "";
  return (
    <Section title={isNamed ? t.ofCampaign(name) : t.title}>
      {canAsk ? null : <p className={classes["hint"]}>{t.unknown}</p>}
      {canAsk && (isBehind || forecast.data === undefined) && forecast.error === null ? (
        <p className={classes["hint"]} role="status">
          {t.checking}
        </p>
      ) : null}
      {!canAsk || forecast.error === null ? null : (
        <Refused error={forecast.error} onRetry={() => void forecast.refetch()} />
      )}
      {!canAsk || forecast.data === undefined || forecast.error !== null ? null : (
        <div className={figures["figures"]} aria-busy={isBehind}>
          <Forecast forecast={forecast.data} />
        </div>
      )}
    </Section>
  );
}

/** Whether the forecast can be requested: the panel itself reports the other cases. */
function isReplayable(campaigns: readonly Campaign[], index: number): boolean {
  const one = campaigns[index];
  if (one === undefined || one.name === "" || Date.parse(one.ends_at) <= Date.parse(one.starts_at)) return false;
  return overlapsOf(campaigns, index).length === 0;
}

/** `isBehind`: the shown forecast is of an earlier draft. */
function useForecast({ base, document, baseVersion, index }: CampaignForecastProps, canAsk: boolean) {
  const { isEditable } = useDraft();
  const typed = {
    document: partOf(base, document),
    base_version: baseVersion,
    starts_at: document.campaigns[index]?.starts_at,
  };
  const now = JSON.stringify(typed);
  const [body] = useDebouncedValue(now, PAUSE_MS);
  const forecast = useQuery({
    queryKey: ["program-forecast", body],
    queryFn: async () => (await apiAsk<{ data: ShownForecast }>("/program/forecast", JSON.parse(body))).data,
    enabled: isEditable && canAsk && body === now,
    retry: false,
    placeholderData: (previous) => previous,
  });
  return { forecast, isBehind: body !== now || forecast.isPlaceholderData };
}

/** Faults of the draft are shown beside its fields. */
function Refused({ error, onRetry }: { error: unknown; onRetry(): void }) {
  const t = useWords(forecastWords);
  const isOfDraft = error instanceof ApiError && (error.status === 422 || error.status === 409);
  return isOfDraft ? <p className={classes["hint"]}>{t.unknown}</p> : <ErrorState error={error} onRetry={onRetry} />;
}

function Forecast({ forecast }: { forecast: ShownForecast }) {
  const t = useWords(forecastWords);
  const { format } = useDraft();
  const { from, to, orders_of_days: orders, looked_at: looked, times } = forecast;
  const last = new Date(Date.parse(to) - 1).toISOString();
  const [first, end] = [format.date(from), format.date(last)];
  if (orders === 0) return <p className={classes["hint"]}>{t.none(first, end)}</p>;
  const more = forecast.points_with - forecast.points_without;
  const said = [
    t.basis(format.number(orders), first, end),
    ...(looked < orders ? [t.sampled(format.number(looked))] : []),
    ...(times > 1 ? [t.longer(format.number(Math.round(times * 10) / 10))] : []),
    t.notMore,
  ];
  return (
    <>
      <Facts
        items={[
          [t.usual, format.points(forecast.points_without)],
          [t.inCampaign, format.points(forecast.points_with)],
          [t.more, t.worth(format.points(more, true), format.money(forecast.worth_more))],
          [t.members, format.number(forecast.customers)],
        ]}
      />
      <ByTier tiers={forecast.tiers} />
      <p className={classes["hint"]}>{said.join(" ")}</p>
    </>
  );
}

function ByTier({ tiers }: { tiers: ShownForecast["tiers"] }) {
  const t = useWords(forecastWords);
  const { format } = useDraft();
  return (
    <DataTable
      caption={t.title}
      rows={tiers.filter(({ orders }) => orders > 0)}
      rowKey={(row) => row.name}
      empty="—"
      columns={[
        { key: "tier", header: t.tier, render: (row) => row.name },
        { key: "members", header: t.members, align: "right", render: (row) => format.number(row.customers) },
        { key: "usual", header: t.usual, align: "right", render: (row) => format.points(row.points_without) },
        { key: "with", header: t.inCampaign, align: "right", render: (row) => format.points(row.points_with) },
      ]}
    />
  );
}
