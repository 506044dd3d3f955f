import { lazy } from "react";
import { loadCode } from "../../api/code.ts";

/** A part of the page with separate code, which is loaded when it is first shown. */
function ownTab(load: () => Promise<{ default: () => React.ReactNode }>) {
  return { load, Tab: lazy(loadCode(load)) };
}

/** The parts of the program that are not just a list of settings. */
export const OWN_TABS = {
  tiers: ownTab(async () => ({ default: (await import("./tiers-tab.tsx")).TiersTab })),
  campaigns: ownTab(async () => ({ default: (await import("./campaigns/campaigns-tab.tsx")).CampaignsTab })),
  bonuses: ownTab(async () => ({ default: (await import("./bonuses-tab.tsx")).BonusesTab })),
  versions: ownTab(async () => ({ default: (await import("./versions-tab.tsx")).VersionsTab })),
  review: ownTab(async () => ({ default: (await import("./review-tab.tsx")).ReviewTab })),
  request: ownTab(async () => ({ default: (await import("./request-tab.tsx")).RequestTab })),
};

export function isOwnTab(tab: string | undefined): tab is keyof typeof OWN_TABS {
  return tab !== undefined && Object.hasOwn(OWN_TABS, tab);
}
