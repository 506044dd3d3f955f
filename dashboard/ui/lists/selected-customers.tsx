import { lazy, Suspense, useEffect } from "react";
import { loadCode } from "../../api/code.ts";
import { useUrlState } from "../urls/use-url-state.ts";
import type { Selection } from "./use-selection.ts";

const SelectionBar = lazy(loadCode(() => import("./selection-bar.tsx").then((m) => ({ default: m.SelectionBar }))));
const BulkPanel = lazy(loadCode(() => import("./bulk-panel.tsx").then((m) => ({ default: m.BulkPanel }))));
const CLOSED = { panel: "", after: "" };
/** The panels of a selection, apart from those of the page. */
const KINDS = { "selected-points": "points", "selected-tier": "tier" } as const;

interface SelectedCustomersProps {
  /** Null: rows are not being selected. */
  selection: Selection | null;
  /** The ids of the rows that are shown and can be selected; null: other rows are being read. */
  shown: readonly string[] | null;
  tiers: readonly { readonly uid: string; readonly name: string }[];
  /** The path of the page without a panel. */
  closeTo: string;
}

/** What can be done with the selected customers of a list. */
export function SelectedCustomers({ selection, shown, tiers, closeTo }: SelectedCustomersProps) {
  const [{ panel, after }, setPanel] = useUrlState(CLOSED);
  const kind = panel === "selected-points" || panel === "selected-tier" ? KINDS[panel] : null;
  const isLeftOver = kind !== null && (selection === null || selection.ids.length === 0); // the address of an earlier selection
  useEffect(() => {
    if (isLeftOver) setPanel({ panel: "", after });
  });
  if (selection === null) return null;
  return (
    <Suspense fallback={null}>
      <SelectionBar
        {...{ selection, shown }}
        hasTiers={tiers.length > 0}
        onPoints={() => setPanel({ panel: "selected-points", after }, { isStep: true })}
        onTier={() => setPanel({ panel: "selected-tier", after }, { isStep: true })}
      />
      {kind === null || isLeftOver ? null : (
        <BulkPanel source={{ customers: selection.ids, request_uid: selection.uid }} {...{ kind, tiers, closeTo }} />
      )}
    </Suspense>
  );
}
