import { Button, Checkbox, NativeSelect } from "@mantine/core";
import { useState } from "react";
import type { CheckBody, ImportColumns, ImportDetail } from "../../../src/admin/csv/schema.ts";
import type { ImportField } from "../../../src/wire/import-fields.ts";
import { ENCODINGS, SEPARATORS } from "../../../src/wire/import-fields.ts";
import { FormFault } from "../../ui/forms/form-fault.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./csv.module.css";
import { fieldNames, missingFields } from "./import-fields.ts";
import { MoveOptions, VendorChoice } from "./move-fields.tsx";
import { moveWords } from "./move-words.ts";
import { ActivityFields, OptionFields } from "./option-fields.tsx";
import { SampleTable } from "./sample-table.tsx";
import { useImportVerb, useSample } from "./use-imports.ts";
import { words } from "./words.ts";

/** The settings of a file: the detected ones, which can be corrected, and the button that checks every row. */
export function ImportSettings({ file }: { file: ImportDetail }) {
  const t = useWords(words);
  const m = useWords(moveWords);
  const names = useWords(fieldNames);
  const { encoding, separator, has_header, columns, options } = file;
  const [body, setBody] = useState<CheckBody>({ encoding, separator, has_header, columns, options });
  const change = (part: Partial<CheckBody>) => setBody((before) => ({ ...before, ...part }));
  const [, setState] = useUrlState({ settings: "" });
  const check = useImportVerb(file.uid, "check", () => setState({ settings: "" }));
  const missing = missingFields(file.kind, body.columns, body.options.match_by_email);
  const isMove = file.kind === "move";
  const isWithoutApp = isMove && (body.options.vendor ?? null) === null;
  return (
    <>
      <Unreadable error={file.error} />
      {isMove ? <Vendor file={file} body={body} onChange={change} /> : null}
      <Section title={t.settings}>
        <ReadingFields body={body} onChange={change} hasHeader={!isMove} />
      </Section>
      <Section title={isMove ? m.confirm : t.columns}>
        <Sample file={file} body={body} onColumns={(next) => change({ columns: next })} />
      </Section>
      {isMove ? (
        <Section title={m.options}>
          <MoveOptions body={body} onChange={change} />
        </Section>
      ) : null}
      {file.kind === "history" || file.kind === "spend" ? (
        <Section title={t.options}>
          <ActivityFields kind={file.kind} options={body.options} onChange={(next) => change({ options: next })} />
        </Section>
      ) : null}
      {file.kind === "points" ? (
        <Section title={t.options}>
          <OptionFields options={body.options} onChange={(next) => change({ options: next })} />
        </Section>
      ) : null}
      {file.kind === "customers" ? (
        <Section title={t.matching}>
          <Checkbox
            label={t.matchByEmail}
            checked={body.options.match_by_email ?? false}
            onChange={(event) => change({ options: { ...body.options, match_by_email: event.currentTarget.checked } })}
          />
        </Section>
      ) : null}
      {missing.length === 0 ? null : <FormFault>{t.missing(missing.map((name) => names[name]).join(", "))}</FormFault>}
      <div className={classes["actions"]}>
        <Button
          disabled={missing.length > 0 || isWithoutApp}
          loading={check.isPending}
          onClick={() => check.mutate(body)}
        >
          {t.check}
        </Button>
        <span className={classes["hint"]}>{t.checkHint}</span>
      </div>
    </>
  );
}

function Vendor({
  file,
  body,
  onChange,
}: {
  file: ImportDetail;
  body: CheckBody;
  onChange(part: Partial<CheckBody>): void;
}) {
  const m = useWords(moveWords);
  const sample = useSample(file.uid, body.encoding, body.separator);
  return (
    <Section title={m.app}>
      <VendorChoice vendors={sample.data?.vendors ?? []} body={body} onChange={onChange} />
    </Section>
  );
}

interface ReadingFieldsProps {
  body: CheckBody;
  hasHeader: boolean;
  onChange(part: Partial<CheckBody>): void;
}

function ReadingFields({ body, onChange, hasHeader }: ReadingFieldsProps) {
  const t = useWords(words);
  return (
    <div className={classes["fields"]}>
      <NativeSelect
        label={t.encoding}
        value={body.encoding}
        data={ENCODINGS.map((value) => ({ value, label: t.encodings[value] }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ encoding: ENCODINGS.find((known) => known === value) ?? "utf-8" })
        }
      />
      <NativeSelect
        label={t.separator}
        value={body.separator}
        data={SEPARATORS.map((value) => ({ value, label: t.separators[value] }))}
        onChange={({ currentTarget: { value } }) =>
          onChange({ separator: SEPARATORS.find((known) => known === value) ?? "," })
        }
      />
      {hasHeader ? (
        <Checkbox
          mb={8}
          label={t.hasHeader}
          checked={body.has_header}
          onChange={(event) => onChange({ has_header: event.currentTarget.checked })}
        />
      ) : null}
    </div>
  );
}

interface SampleProps {
  file: ImportDetail;
  body: CheckBody;
  onColumns(columns: ImportColumns): void;
}

function Sample({ file, body, onColumns }: SampleProps) {
  const t = useWords(words);
  const sample = useSample(file.uid, body.encoding, body.separator);
  const rows = sample.data?.rows;
  const choose = (index: number, field: ImportField | null) => {
    const others = Object.entries(body.columns).filter(([name, at]) => at !== index && name !== field);
    onColumns(Object.fromEntries(field === null ? others : [...others, [field, index]]));
  };
  if (rows !== undefined && rows.length === 0) return <FormFault>{t.noSample}</FormFault>;
  return <SampleTable kind={file.kind} rows={rows ?? []} body={body} onChoose={choose} />;
}

function Unreadable({ error }: Pick<ImportDetail, "error">) {
  const t = useWords(words);
  const format = useFormat();
  if (error === null) return null;
  const line = format.number(error.line);
  const message = Object.entries(t.unreadable).find(([code]) => code === error.code)?.[1];
  return <FormFault>{message?.(line) ?? t.noSample}</FormFault>;
}
