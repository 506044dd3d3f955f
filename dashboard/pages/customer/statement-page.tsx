import { Button, Skeleton } from "@mantine/core";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import type { ShownStatement } from "../../../src/admin/customers/account-schema.ts";
import { ApiError } from "../../api/api-error.ts";
import { apiGet } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { DayField } from "../../ui/forms/day-field.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { useParam } from "../../ui/urls/use-param.ts";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { Facts } from "../../ui/values/facts.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./statement.module.css";
import { StatementExpiries, StatementMovements, StatementSummary } from "./statement-parts.tsx";
import { statementPeriods } from "./statement-periods.ts";
import { statementWords } from "./statement-words.ts";
import { customerKey, customerPath } from "./use-customer.ts";

/** A customer's statement for a period, for printing or saving. */
export function StatementPage() {
  const id = useParam("id") ?? "";
  return <Shown key={id} id={id} />; // one customer's movements are never under another one's name
}

function Shown({ id }: { id: string }) {
  const t = useWords(statementWords);
  const [period, setPeriod] = useUrlState({ from: "", until: "" });
  const { from, until } = period;
  const statement = useQuery({
    queryKey: [...customerKey(id), "statement", from, until],
    queryFn: async ({ signal }) =>
      (await apiGet<{ data: ShownStatement }>(`${customerPath(id)}/statement`, { from, until }, signal)).data,
    placeholderData: keepPreviousData,
  });
  const { data, error } = statement;
  const last = useRef(data); // while a period is refused, there is none
  if (data !== undefined) last.current = data;
  const known = last.current;
  const name = known?.customer.name ?? known?.customer.email ?? id;
  return (
    <Page
      title={t.title}
      back={{ to: customerPath(id), label: name }}
      action={
        <Button disabled={data === undefined || error !== null} onClick={() => window.print()}>
          {t.print}
        </Button>
      }
    >
      {known === undefined && (error === null || isUnknown(error)) ? null : (
        <PeriodFields
          from={from || (known?.from ?? "")}
          until={until || (known?.until ?? "")}
          today={known?.today ?? null}
          onPeriod={setPeriod}
        />
      )}
      {error === null ? null : <ErrorState error={error} onRetry={() => void statement.refetch()} />}
      {data === undefined && error === null ? <Skeleton height={320} /> : null}
      {data === undefined || error !== null ? null : <Statement statement={data} />}
    </Page>
  );
}

/** Whether there is no such customer, for whom no period gives a statement. A period that is refused can be mended. */
function isUnknown(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

interface PeriodFieldsProps {
  from: string;
  until: string;
  /** Of the store; null before the first answer. */
  today: string | null;
  onPeriod(change: Partial<Pick<ShownStatement, "from" | "until">>): void;
}

function PeriodFields({ from, until, today, onPeriod }: PeriodFieldsProps) {
  const t = useWords(statementWords);
  const periods = today === null ? [] : statementPeriods(today);
  return (
    <div className={classes["choice"]}>
      <DayField label={t.from} max={until || undefined} value={from} onChange={(day) => onPeriod({ from: day })} />
      <DayField label={t.until} min={from || undefined} value={until} onChange={(day) => onPeriod({ until: day })} />
      <div className={classes["presets"]}>
        {periods.map(({ name, ...period }) => (
          <Button key={name} variant="default" onClick={() => onPeriod(period)}>
            {t[name]}
          </Button>
        ))}
      </div>
    </div>
  );
}

function Statement({ statement }: { statement: ShownStatement }) {
  const t = useWords(statementWords);
  const format = useFormat();
  const { store } = useSession();
  const { customer, from, until, today } = statement;
  const who = [customer.name, customer.email, customer.id].filter((part) => part !== null);
  return (
    <article className={classes["statement"]}>
      <Facts
        items={[
          [t.store, store.name],
          [t.customer, who.join(" · ")],
          [t.period, t.periodOf(format.day(from), format.day(until))],
          [t.made, format.day(today)],
        ]}
      />
      <StatementSummary statement={statement} />
      <StatementMovements statement={statement} />
      <div className={classes["whole"]}>
        <StatementExpiries statement={statement} />
      </div>
    </article>
  );
}
