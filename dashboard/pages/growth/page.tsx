import { Page } from "../../ui/page.tsx";
import { PageLink } from "../../ui/page-link.tsx";
import { useParam } from "../../ui/use-param.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./growth.module.css";
import { GuestsPart } from "./guests-part.tsx";
import { JoinedPart } from "./joined-part.tsx";
import { MembersPart } from "./members-part.tsx";
import { TiersPart } from "./tiers-part.tsx";
import { words } from "./words.ts";

const TABS = ["members", "guests", "joined", "tiers"] as const;
type Tab = (typeof TABS)[number];

const PARTS: Readonly<Record<Tab, () => React.JSX.Element>> = {
  members: MembersPart,
  guests: GuestsPart,
  joined: JoinedPart,
  tiers: TiersPart,
};

/** How the members came to be what they are: who joined and who lapses, what guests order, what became of whom, tiers. */
export function GrowthPage() {
  const t = useWords(words);
  const asked = useParam("tab");
  const current = TABS.find((tab) => tab === asked) ?? "members";
  const Part = PARTS[current];
  return (
    <Page title={t.title} subtitle={t.subtitles[current]}>
      <nav className={classes["tabs"]} aria-label={t.title}>
        {TABS.map((tab) => (
          <PageLink
            key={tab}
            to={tab === "members" ? "/growth" : `/growth/${tab}`}
            className={classes["tab"] ?? ""}
            {...(tab === current ? { "aria-current": "page" as const } : {})}
          >
            {t.tabs[tab]}
          </PageLink>
        ))}
      </nav>
      <Part />
    </Page>
  );
}
