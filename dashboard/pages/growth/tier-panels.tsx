import type { TiersOverTimeAnswer } from "../../../src/admin/growth/schema.ts";
import { MovesPanel } from "./moves-panel.tsx";
import { StaysPanel } from "./stays-panel.tsx";

/** The list behind a figure of tiers, if one is in the address. */
export function TierPanels({ figures }: { figures: TiersOverTimeAnswer | undefined }) {
  return (
    <>
      <MovesPanel />
      <StaysPanel figures={figures} />
    </>
  );
}
