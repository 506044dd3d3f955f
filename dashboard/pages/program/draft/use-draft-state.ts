import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import type { ProgramState } from "../../../../src/admin/program/schema.ts";
import type { ProgramDocument } from "../../../../src/program/program-schema.ts";
import { useSession } from "../../../api/session.ts";
import { createFormat, digitsOf } from "../../../ui/values/format.ts";
import { useLanguage } from "../../../words/language.tsx";
import { editable } from "../document.ts";
import { carriedOver, changesOf, isSame } from "./draft.ts";
import type { Draft, LeftDraft } from "./draft-context.ts";
import { type OtherDraft, useStoredDrafts } from "./use-stored-drafts.ts";

interface Kept {
  readonly program: ProgramState;
  readonly document: ProgramDocument;
}

/** Holds the changes that are not applied yet; without changes the draft is the newest version. */
export function useDraftState(newest: ProgramState): Draft {
  const [kept, setKept] = useState<Kept | null>(null);
  const [refusal, refuse] = useState<unknown>(null);
  const client = useQueryClient();
  const { can } = useSession();
  const program = kept?.program ?? newest;
  const base = useMemo(() => editable(program.document), [program]);
  const document = kept?.document ?? base;
  const changes = useMemo(() => (kept === null ? [] : changesOf(base, document)), [kept, base, document]);
  const money = useMoney(document);
  const latest = useRef(kept);
  latest.current = kept;
  const { isStored, store, others, forget } = useStoredDrafts(() => void dropIfApplied());
  const keep = (next: Kept | null): boolean => {
    latest.current = next;
    setKept(next);
    refuse(null);
    return store(next && { base: editable(next.program.document), document: next.document });
  };
  const dropIfApplied = async () => {
    await client.invalidateQueries({ queryKey: ["program", "now"] });
    const now = client.getQueryData<ProgramState>(["program", "now"]) ?? newest;
    const own = latest.current;
    if (own !== null && restOf(own, editable(own.program.document), now) === null) keep(null);
  };
  const isEditable = can("program.change");
  const lefts = useLefts(isEditable ? others : NONE, document, (left) => {
    // the stored one is the only copy where this browser has no room for another
    if (keep({ program, document: left.document })) forget(left.id);
  });
  return {
    program,
    newest,
    base,
    document,
    changes,
    refusal,
    isEditable,
    isStored,
    lefts: lefts.map((left) => ({ ...left, forget: () => forget(left.id) })),
    ...money,
    change: (next) => void keep(isSame(base, next) ? null : { program, document: next }),
    discard: () => void keep(null),
    applied: (sent, onto) => {
      if (latest.current !== null) keep(restOf(latest.current, sent, onto));
      for (const other of others) if (restOf(other, other.base, onto) === null) forget(other.id);
    },
    takeOver: () => void keep(onTopOf(newest, carriedOver(base, document, editable(newest.document)))),
    refuse,
  };
}

const NONE: readonly OtherDraft[] = [];

/** The draft on top of a version; null: it changes nothing there. */
function onTopOf(program: ProgramState, document: ProgramDocument): Kept | null {
  return isSame(editable(program.document), document) ? null : { program, document };
}

/** What was changed since a draft was sent, on top of the version that came of it. */
function restOf({ document }: Pick<Kept, "document">, sent: ProgramDocument, onto: ProgramState): Kept | null {
  return onTopOf(onto, carriedOver(sent, document, editable(onto.document)));
}

/** Drafts of other pages, each on top of the present draft, if it adds anything to that. */
function useLefts(
  others: readonly OtherDraft[],
  present: ProgramDocument,
  restore: (left: OtherDraft) => void,
): readonly Omit<LeftDraft, "forget">[] {
  const onTop = useMemo(() => {
    return others.flatMap((other) => {
      const document = carriedOver(other.base, other.document, present);
      const changes = changesOf(present, document);
      return changes.length === 0 ? [] : [{ other: { ...other, document }, changes }];
    });
  }, [others, present]);
  return onTop.map(({ other, changes }) => {
    const { id, savedAt, isElsewhere } = other;
    return { id, savedAt, isElsewhere, changes, restore: () => restore(other) };
  });
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
