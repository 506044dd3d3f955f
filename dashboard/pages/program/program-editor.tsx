import type { ReactNode } from "react";
import type { ProgramState } from "../../../src/admin/program/schema.ts";
import { Page } from "../../ui/page.tsx";
import { useParam } from "../../ui/use-param.ts";
import { useWords } from "../../words/use-words.ts";
import { BonusesTab } from "./bonuses-tab.tsx";
import { CampaignsTab } from "./campaigns-tab.tsx";
import { ConflictNotice } from "./conflict-notice.tsx";
import { DraftBar } from "./draft-bar.tsx";
import { DraftContext, useDraft } from "./draft-context.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import classes from "./program.module.css";
import { ProgramFile } from "./program-file.tsx";
import { RequestTab } from "./request-tab.tsx";
import { RestoreNotice } from "./restore-notice.tsx";
import { ReviewTab } from "./review-tab.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { TabList } from "./tab-list.tsx";
import { TiersTab } from "./tiers-tab.tsx";
import { useDraftState } from "./use-draft-state.ts";
import { VersionsTab } from "./versions-tab.tsx";
import { words } from "./words.ts";

/** All parts of the program around one draft, which stays while one goes from part to part. */
export function ProgramEditor({ newest }: { newest: ProgramState }) {
  const t = useWords(words);
  const draft = useDraftState(newest);
  const tab = useParam("tab") ?? "store";
  return (
    <DraftContext value={draft}>
      <Page title={t.title} subtitle={<Subtitle />} action={<ProgramFile />}>
        <RestoreNotice />
        <ConflictNotice />
        <div className={classes["columns"]}>
          <TabList current={tab} />
          <div className={classes["content"]}>
            <TabContent tab={tab} />
          </div>
        </div>
        {tab === "review" || tab === "request" ? null : <DraftBar />}
        <LeaveGuard isChanged={draft.changes.length > 0 && !draft.isStored} />
      </Page>
    </DraftContext>
  );
}

function Subtitle() {
  const t = useWords(words);
  const { program, isEditable } = useDraft();
  const version = t.validSince(program.version, program.author);
  return isEditable ? version : `${version}. ${t.readOnly}`;
}

function TabContent({ tab }: { tab: string }): ReactNode {
  switch (tab) {
    case "tiers":
      return <TiersTab />;
    case "campaigns":
      return <CampaignsTab />;
    case "bonuses":
      return <BonusesTab />;
    case "versions":
      return <VersionsTab />;
    case "review":
      return <ReviewTab />;
    case "request":
      return <RequestTab />;
    case "earning":
    case "expiration":
    case "refunds":
    case "coupons":
    case "rewards":
    case "staff":
      return <SettingsTab key={tab} section={tab} />;
    default:
      return <SettingsTab section="store" />;
  }
}
