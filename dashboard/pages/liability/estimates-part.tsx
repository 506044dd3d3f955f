import { Button, Group, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useSession } from "../../api/session.ts";
import { faultOf } from "../../ui/forms/fault-of.ts";
import { PageForm } from "../../ui/forms/page-form.tsx";
import { decimalText } from "../../ui/forms/typed-number.ts";
import { Section } from "../../ui/layout/section.tsx";
import { DataTable } from "../../ui/lists/data-table.tsx";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { type Report, useLiabilityChange } from "./use-liability.ts";
import { words } from "./words.ts";

/** The estimates and the month from which each is valid, and a form for people who may set them. */
export function EstimatesPart({ report }: { report: Report }) {
  const t = useWords(words);
  const format = useFormat();
  const { can } = useSession();
  return (
    <Section title={t.estimates}>
      <p>{t.estimatesHint}</p>
      <DataTable
        caption={t.estimates}
        rows={report.estimates}
        rowKey={({ month, cohort }) => `${month} ${cohort}`}
        empty={t.noneSet}
        columns={[
          { key: "from", onPhone: "first", header: t.from, render: ({ month }) => format.month(month), isShort: true },
          {
            key: "of",
            onPhone: "second",
            header: t.of,
            render: ({ cohort }) => (cohort === null ? t.all : format.month(cohort)),
          },
          {
            key: "redemption",
            onPhone: "named",
            header: t.redemption,
            align: "right",
            render: ({ redemption }) => format.percentText(redemption),
          },
          {
            key: "price",
            onPhone: "named",
            header: t.price,
            align: "right",
            render: ({ point_price }) => (point_price === null ? "—" : format.price(point_price)),
          },
          { key: "by", onPhone: "second", header: t.setBy, render: ({ set_by }) => set_by },
        ]}
      />
      {can("liability.manage") ? <EstimateForm report={report} /> : null}
    </Section>
  );
}

/** For browsers without a month picker. */
const MONTH = { placeholder: "2026-10", maxLength: 7 };

interface EstimateFields {
  month: string;
  redemption: string;
  point_price: string;
  cohort: string;
}

function monthAfter(month: string): string {
  const [year = 0, of = 0] = month.split("-").map(Number);
  return of === 12 ? `${year + 1}-01` : `${year}-${String(of + 1).padStart(2, "0")}`;
}

function EstimateForm({ report: { month, last_month, closed_month, revenue } }: { report: Report }) {
  const t = useWords(words);
  const monthIn = ({ month: named = last_month }: Readonly<Record<string, string>>) => named;
  const isClosed = closed_month !== null && month <= closed_month;
  const [fields, setFields] = useState<EstimateFields>({
    month: isClosed ? monthAfter(closed_month) : month,
    redemption: revenue?.expected_redemption ?? "",
    point_price: revenue?.point_price ?? "",
    cohort: "",
  });
  const change = useLiabilityChange<Partial<EstimateFields>>("PUT", "/liability/estimate", () =>
    notifyDone(t.estimateSet),
  );
  const field = (name: keyof EstimateFields, label: string, description?: string) => ({
    label,
    ...(description === undefined ? {} : { description }),
    value: fields[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      setFields((before) => ({ ...before, [name]: value }));
    },
    error: faultOf(change.error, `/${name}`),
    autoComplete: "off",
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const { month: from, redemption, cohort, point_price } = fields;
    const body = {
      month: from,
      redemption: decimalText(redemption),
      ...(cohort.trim() === "" ? { point_price: decimalText(point_price) } : { cohort: cohort.trim() }),
    };
    change.mutate(body, {
      onError: (error) => {
        if (Object.keys(fields).every((name) => faultOf(error, `/${name}`) === null)) notifyFailed(error);
      },
    });
  };
  return (
    <PageForm keptAt={/\/liability(\/|$)/} isLeftBy={(from, to) => monthIn(from) !== monthIn(to)} onSubmit={submit}>
      <Stack gap={12} maw={480}>
        <TextInput type="month" {...field("month", t.from)} {...MONTH} required />
        <TextInput {...field("redemption", t.redemptionField)} inputMode="decimal" required />
        <TextInput
          {...field("point_price", t.priceField, t.priceHint)}
          inputMode="decimal"
          disabled={fields.cohort !== ""}
        />
        <TextInput type="month" {...field("cohort", t.cohortField, t.cohortHint)} {...MONTH} />
        <Group>
          <Button type="submit" variant="default" loading={change.isPending}>
            {t.setEstimate}
          </Button>
        </Group>
      </Stack>
    </PageForm>
  );
}
