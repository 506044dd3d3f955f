import { useMemo, useState } from "react";
import type { ProgramState } from "../../../../src/admin/program/schema.ts";
import type { ProgramDocument } from "../../../../src/program/program-schema.ts";
import { useSession } from "../../../api/session.ts";
import { storeNow } from "../../../api/store-clock.ts";
import { createFormat, digitsOf } from "../../../ui/values/format.ts";
import { useLanguage } from "../../../words/language.tsx";
import { editable } from "../document.ts";
import { carriedOver, changesOf, isSame } from "./draft.ts";
import type { Draft } from "./draft-context.ts";
import { readStoredDraft, type StoredDraft, writeStoredDraft } from "./stored-draft.ts";

interface Kept {
  readonly program: ProgramState;
  readonly document: ProgramDocument;
}

/** Holds the changes that are not applied yet; without changes the draft is the newest version. */
export function useDraftState(newest: ProgramState): Draft {
  const [kept, setKept] = useState<Kept | null>(null);
  const [refusal, refuse] = useState<unknown>(null);
  const { can } = useSession();
  const program = kept?.program ?? newest;
  const base = useMemo(() => editable(program.document), [program]);
  const document = kept?.document ?? base;
  const changes = useMemo(() => (kept === null ? [] : changesOf(base, document)), [kept, base, document]);
  const money = useMoney(document);
  const { isStored, left, store, leave } = useStoredDraft(newest, can("program.change") && kept === null);
  const keep = (next: Kept | null) => {
    setKept(next);
    refuse(null);
    store(next && { base: editable(next.program.document), document: next.document });
  };
  return {
    program,
    newest,
    base,
    document,
    changes,
    refusal,
    isEditable: can("program.change"),
    isStored,
    left: left && {
      savedAt: left.savedAt,
      changes: left.changes,
      restore: () => keep({ program: newest, document: left.document }),
      forget: leave,
    },
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

/** Applies what the person left to the newest version, and stores the present draft. */
function useStoredDraft(newest: ProgramState, isOffered: boolean) {
  const { uid } = useSession().staff;
  const [stored, setStored] = useState(() => readStoredDraft(localStorage, uid, Date.now()));
  const [isStored, setIsStored] = useState(true);
  const left = useMemo(() => {
    if (stored === null || !isOffered) return null;
    const onto = editable(newest.document);
    const document = carriedOver(stored.base, stored.document, onto);
    const changes = changesOf(onto, document);
    return changes.length === 0 ? null : { savedAt: stored.savedAt, document, changes };
  }, [stored, isOffered, newest]);
  const store = (draft: Pick<StoredDraft, "base" | "document"> | null) => {
    setStored(null);
    const times = { savedAt: new Date(storeNow()).toISOString(), keptAt: Date.now() };
    setIsStored(writeStoredDraft(localStorage, uid, draft && { ...draft, ...times }));
  };
  return { isStored, left, store, leave: () => store(null) };
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
  return { format, digits, time: format.minute };
}
