import { useWords } from "../../../words/use-words.ts";
import type { Campaign, ProgramChange } from "../document.ts";
import { useDraft } from "../draft/draft-context.ts";
import classes from "../program.module.css";
import { words } from "../words.ts";
import { lossesOf } from "./campaign-rates.ts";

interface CampaignLossesProps extends Pick<ProgramChange, "document"> {
  readonly campaigns: readonly Campaign[];
}

/** Warns of campaigns in which some tiers earn less than without them, and names the tiers; hidden if there are none. */
export function CampaignLosses({ campaigns, document }: CampaignLossesProps) {
  const t = useWords(words);
  const { format } = useDraft();
  const found = campaigns.flatMap((campaign) => {
    const losses = lossesOf(document, campaign);
    return losses.length === 0 ? [] : [{ campaign, losses }];
  });
  if (found.length === 0) return null;
  const rateText = (rate: { readonly point_value: number; readonly currency_value: number }) =>
    t.rate(t.points(format.points(rate.point_value)), format.money(rate.currency_value));
  return (
    <div className={classes["notice"]} role="alert">
      {found.map(({ campaign, losses }) => (
        <div key={campaign.name}>
          <strong>{t.losers(campaign.name, format.list(losses.map(({ name }) => name)), losses.length)}</strong>
          <ul className={classes["faults"]}>
            {losses.map(({ name, usual, inCampaign }) => (
              <li key={name}>{t.loserRate(name, rateText(inCampaign), rateText(usual))}</li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}
