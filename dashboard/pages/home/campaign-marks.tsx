import type { HomeCampaign } from "../../../src/admin/home/schema.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./home.module.css";
import { words } from "./words.ts";

/** The campaigns and bonus collections that are numbered in the charts, each with its days and a link to its result. */
export function CampaignMarks({ campaigns }: { campaigns: readonly HomeCampaign[] }) {
  const t = useWords(words);
  const format = useFormat();
  if (campaigns.length === 0) return null;
  return (
    <div className={classes["marks"]}>
      <span>{t.campaigns}</span>
      <ol>
        {campaigns.map(({ id, name, from, to }) => (
          <li key={id}>
            <PageLink to={`/results/${id}`}>{name}</PageLink>{" "}
            <span>{from === to ? format.day(from) : t.dayToDay(format.day(from), format.day(to))}</span>
          </li>
        ))}
      </ol>
    </div>
  );
}
