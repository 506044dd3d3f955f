import { Button } from "@mantine/core";
import type { FaultPhase, FaultRow, ImportDetail } from "../../../src/admin/csv/schema.ts";
import { apiUrl } from "../../api/client.ts";
import { DownloadIcon } from "../../ui/layout/icons.tsx";
import { Section } from "../../ui/layout/section.tsx";
import type { Column } from "../../ui/lists/data-table.tsx";
import { PagedTable } from "../../ui/lists/paged-table.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { useLanguage } from "../../words/language.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./csv.module.css";
import { fieldNames } from "./import-fields.ts";
import { moveWords } from "./move-words.ts";
import { useFaults } from "./use-imports.ts";
import { words } from "./words.ts";

const PHASES: readonly FaultPhase[] = ["undo", "import", "check", "warning"];

function countOf(file: ImportDetail, phase: FaultPhase): number {
  if (phase === "warning") return file.warning_count;
  return file[phase]?.fault_count ?? 0;
}

/** The faulty rows, by phase, and a file of them for correction. */
export function FaultsPart({ file }: { file: ImportDetail }) {
  const t = useWords(words);
  const ofMove = useWords(moveWords);
  const format = useFormat();
  const { language } = useLanguage();
  const [state, setState] = useUrlState({ faults: "", after: "" });
  const phases = PHASES.filter((phase) => countOf(file, phase) > 0);
  const phase = phases.find((name) => name === state.faults) ?? phases[0];
  if (phase === undefined) return null;
  const download = (
    <Button
      component="a"
      variant="default"
      href={apiUrl(`/imports/${file.uid}/faults.csv`, { phase, language })}
      download
      leftSection={<DownloadIcon />}
    >
      {t.errorFile}
    </Button>
  );
  return (
    <Section title={t.faultTabs[phase]} action={download}>
      <fieldset className={classes["plain"]} aria-label={t.wrong}>
        {phases.map((name) => (
          <Button
            key={name}
            size="compact-sm"
            variant={name === phase ? "light" : "subtle"}
            aria-pressed={name === phase}
            onClick={() => setState({ faults: name })}
          >
            {t.faultTabs[name]} {format.number(countOf(file, name))}
          </Button>
        ))}
      </fieldset>
      <FaultList
        uid={file.uid}
        phase={phase}
        empty={file.kind === "move" ? ofMove.faultsInParts : t.noFaults}
        count={countOf(file, phase)}
        after={state.after}
        onAfter={(after) => setState({ after })}
      />
    </Section>
  );
}

interface FaultListProps {
  uid: string;
  phase: FaultPhase;
  empty: string;
  count: number;
  after: string;
  onAfter(after: string): void;
}

function FaultList({ uid, phase, empty, count, after, onAfter }: FaultListProps) {
  const t = useWords(words);
  const list = useFaults(uid, phase, count, after);
  return (
    <PagedTable
      caption={t.faultTabs[phase]}
      columns={useColumns()}
      list={list}
      rowKey={({ line, code }) => `${line} ${code}`}
      empty={empty}
      after={after}
      onAfter={onAfter}
    />
  );
}

function useColumns(): Column<FaultRow>[] {
  const t = useWords(words);
  const format = useFormat();
  const names: Readonly<Record<string, string>> = useWords(fieldNames);
  return [
    {
      key: "line",
      onPhone: "named",
      header: t.line,
      align: "right",
      width: "80px",
      render: ({ line }) => (line === 0 ? "—" : format.number(line)), // why the work ended early is of no row
    },
    { key: "field", onPhone: "second", header: t.field, render: ({ member }) => names[member ?? ""] ?? "—" },
    {
      key: "value",
      onPhone: "second",
      header: t.value,
      // of a deduction above the balance the stored value is what is missing, which the sentence says
      render: ({ value, code }) => <span translate="no">{code === "above_balance" ? "—" : (value ?? "—")}</span>,
    },
    {
      key: "detail",
      onPhone: "first",
      header: t.wrong,
      render: ({ detail }) => <span data-form-of-file>{detail}</span>,
    },
  ];
}
