import type { Address } from "../../api/prefetch-queries.ts";
import { Page } from "../../ui/layout/page.tsx";
import { TabLinks } from "../../ui/layout/tab-links.tsx";
import { PageNotFound } from "../../ui/states/page-not-found.tsx";
import { useParam } from "../../ui/urls/use-param.ts";
import { useWords } from "../../words/use-words.ts";
import { GuestsPart } from "./guests-part.tsx";
import { JoinedPart } from "./joined-part.tsx";
import { MembersPart } from "./members-part.tsx";
import { TiersPart } from "./tiers-part.tsx";
import { growthQuery } from "./use-growth.ts";
import { words } from "./words.ts";

const TABS = ["members", "guests", "joined", "tiers"] as const;
type Tab = (typeof TABS)[number];

const PARTS: Readonly<Record<Tab, () => React.JSX.Element>> = {
  members: MembersPart,
  guests: GuestsPart,
  joined: JoinedPart,
  tiers: TiersPart,
};

/** The development of the membership: who joined and who lapses, guests' orders, members by month joined, tiers. */
export function GrowthPage() {
  const t = useWords(words);
  const asked = useParam("tab") ?? "members";
  const current = TABS.find((tab) => tab === asked);
  if (current === undefined) return <PageNotFound />;
  const Part = PARTS[current];
  return (
    <Page title={t.title} subtitle={t.subtitles[current]}>
      <TabLinks
        label={t.title}
        tabs={TABS.map((tab) => ({
          to: tab === "members" ? "/growth" : `/growth/${tab}`,
          label: t.tabs[tab],
          isCurrent: tab === current,
        }))}
      />
      <Part />
    </Page>
  );
}

GrowthPage.prefetchedQueries = ({ params }: Address) => {
  const tab = TABS.find((one) => one === params["tab"]) ?? "members";
  return [growthQuery(tab === "members" ? "/growth" : `/growth/${tab}`)];
};
