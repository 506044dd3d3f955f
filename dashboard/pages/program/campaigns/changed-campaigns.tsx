import type { ProgramChange } from "../document.ts";
import { isSame } from "../draft/draft.ts";
import { useDraft } from "../draft/draft-context.ts";
import { CampaignForecast } from "./campaign-forecast.tsx";
import { CampaignLosses } from "./campaign-losses.tsx";
import { phaseOf } from "./campaigns.ts";

/** With more changed campaigns than these, forecasts are only shown in the panels. */
const FORECASTS_MAX = 3;

/** The warnings of campaigns that are not over. */
export function ChangedLosses({ document }: Pick<ProgramChange, "document">) {
  const { program } = useDraft();
  const campaigns = document.campaigns.filter((campaign) => phaseOf(campaign, program.now) !== "over");
  return <CampaignLosses campaigns={campaigns} document={document} />;
}

/** The forecasts of the changed campaigns. */
export function ChangedForecasts({ base, document, baseVersion }: ProgramChange & { readonly baseVersion: number }) {
  const { program } = useDraft();
  const changed = [...document.campaigns.entries()].filter(([, campaign]) => {
    const isKnown = base.campaigns.some((before) => isSame(before, campaign));
    return !isKnown && phaseOf(campaign, program.now) !== "over";
  });
  return changed
    .slice(0, FORECASTS_MAX)
    .map(([index]) => <CampaignForecast key={index} {...{ base, document, baseVersion, index }} isNamed />);
}
