import { useMemo, useState } from "react";
import type { ProgramState } from "../../../src/admin/program/schema.ts";
import type { ProgramDocument } from "../../../src/program/program-schema.ts";
import { useSession } from "../../api/session.ts";
import { createFormat } from "../../ui/format.ts";
import { useLanguage } from "../../words/language.tsx";
import { editable } from "./document.ts";
import { carriedOver, changesOf, isSame } from "./draft.ts";
import type { Draft } from "./draft-context.ts";

const LOCALES = { en: "en-GB", ja: "ja-JP" } as const;

interface Kept {
  readonly program: ProgramState;
  readonly document: ProgramDocument;
}

/** Keeps what was changed and not applied yet; without a change the draft is the newest version itself. */
export function useDraftState(newest: ProgramState): Draft {
  const [kept, setKept] = useState<Kept | null>(null);
  const [refusal, refuse] = useState<unknown>(null);
  const { can } = useSession();
  const program = kept?.program ?? newest;
  const base = useMemo(() => editable(program.document), [program]);
  const document = kept?.document ?? base;
  const changes = useMemo(() => (kept === null ? [] : changesOf(base, document)), [kept, base, document]);
  const money = useMoney(document);
  const keep = (next: Kept | null) => {
    setKept(next);
    refuse(null);
  };
  return {
    program,
    newest,
    base,
    document,
    changes,
    refusal,
    isEditable: can("program.change"),
    ...money,
    change: (next) => keep(isSame(base, next) ? null : { program, document: next }),
    discard: () => keep(null),
    takeOver: () => {
      const onto = editable(newest.document);
      const carried = carriedOver(base, document, onto);
      keep(isSame(onto, carried) ? null : { program: newest, document: carried });
    },
    refuse,
  };
}

function useMoney({ store }: ProgramDocument) {
  const { language } = useLanguage();
  const known = useSession().store;
  const { currency, time_zone: timeZone } = store;
  const digits = currency === known.currency ? known.currency_digits : digitsOf(currency);
  const format = useMemo(
    () => createFormat({ language, currency, currencyDigits: digits, timeZone }),
    [language, currency, digits, timeZone],
  );
  const minute = useMemo(
    () => new Intl.DateTimeFormat(LOCALES[language], { dateStyle: "medium", timeStyle: "short", timeZone }),
    [language, timeZone],
  );
  return { format, digits, time: (at: string) => minute.format(Date.parse(at)) };
}

function digitsOf(currency: string): number {
  const { maximumFractionDigits } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
  return maximumFractionDigits ?? 2;
}
