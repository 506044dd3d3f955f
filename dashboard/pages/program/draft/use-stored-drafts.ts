import { useEffect, useRef, useState } from "react";
import { newUid } from "../../../api/new-uid.ts";
import { useSession } from "../../../api/session.ts";
import { storeNow } from "../../../api/store-clock.ts";
import {
  draftIdOf,
  type FoundDraft,
  readStoredDrafts,
  removeOldDrafts,
  type StoredDraft,
  writeStoredDraft,
} from "./stored-draft.ts";

/** A draft of this person that another page made: one that was left, or one in another tab. */
export interface OtherDraft extends FoundDraft {
  /** Another tab stored it while this page was open. */
  readonly isElsewhere: boolean;
}

type Changed = Pick<StoredDraft, "base" | "document">;

/**
 * Stores this page's draft, and returns those of other pages, also while they are changed in other tabs. `onTaken`: another tab removed this page's
 * draft, because it has or has applied what is in it.
 */
export function useStoredDrafts(onTaken: () => void) {
  const { uid } = useSession().staff;
  const [id] = useState(newUid);
  const [isStored, setIsStored] = useState(true);
  const last = useRef<StoredDraft | null>(null);
  const write = (draft: StoredDraft | null): boolean => {
    const isFirst = last.current === null;
    last.current = draft;
    const hasStored = writeStoredDraft(localStorage, uid, id, draft);
    setIsStored(hasStored);
    if (isFirst) removeOldDrafts(localStorage, uid, Date.now());
    return hasStored;
  };
  const { others, forget } = useOtherDrafts(uid, id, () => {
    if (last.current === null) return;
    writeStoredDraft(localStorage, uid, id, last.current); // it is still in this tab
    onTaken();
  });
  const store = (draft: Changed | null) =>
    write(draft && { ...draft, savedAt: new Date(storeNow()).toISOString(), keptAt: Date.now() });
  return { isStored, store, others, forget };
}

/** The drafts of other pages. `onRemoved`: another tab removed this page's draft. */
function useOtherDrafts(uid: string, ownId: string, onRemoved: () => void) {
  const [others, setOthers] = useState<readonly OtherDraft[]>(() => {
    // only now: a tab whose draft is removed stores it again, which must not remove others on and on
    removeOldDrafts(localStorage, uid, Date.now());
    return readOthers(uid, ownId, new Set());
  });
  const elsewhere = useRef(new Set<string>());
  const latest = useRef(onRemoved);
  latest.current = onRemoved;
  useEffect(() => {
    const read = () => setOthers(readOthers(uid, ownId, elsewhere.current));
    const onStorage = ({ key, newValue }: StorageEvent) => {
      const id = key === null ? null : draftIdOf(key, uid);
      if (id === null) return;
      if (id === ownId && newValue === null) latest.current();
      if (newValue !== null) elsewhere.current.add(id);
      read();
    };
    read(); // a page that was hidden behind the sign-in heard nothing
    addEventListener("storage", onStorage);
    return () => removeEventListener("storage", onStorage);
  }, [uid, ownId]);
  const forget = (id: string) => {
    writeStoredDraft(localStorage, uid, id, null);
    setOthers((before) => before.filter((other) => other.id !== id));
  };
  return { others, forget };
}

function readOthers(uid: string, ownId: string, elsewhere: ReadonlySet<string>): readonly OtherDraft[] {
  return readStoredDrafts(localStorage, uid, Date.now())
    .filter(({ id }) => id !== ownId)
    .map((draft) => ({ ...draft, isElsewhere: elsewhere.has(draft.id) }));
}
