import { type ReactNode, Suspense, useEffect } from "react";
import type { ProgramState } from "../../../src/admin/program/schema.ts";
import { warmCode } from "../../api/code.ts";
import { Page } from "../../ui/layout/page.tsx";
import { PartNotFound } from "../../ui/states/page-not-found.tsx";
import { useParam } from "../../ui/urls/use-param.ts";
import { useWords } from "../../words/use-words.ts";
import { ConflictNotice } from "./draft/conflict-notice.tsx";
import { DraftBar } from "./draft/draft-bar.tsx";
import { DraftContext, useDraft } from "./draft/draft-context.ts";
import { LeaveGuard } from "./draft/leave-guard.tsx";
import { RestoreNotices } from "./draft/restore-notice.tsx";
import { useDraftState } from "./draft/use-draft-state.ts";
import classes from "./program.module.css";
import { ProgramFile } from "./program-file.tsx";
import { ProgramSkeleton } from "./program-skeleton.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { TabList } from "./tab-list.tsx";
import { isOwnTab, OWN_TABS } from "./tabs.ts";
import { words } from "./words.ts";

/** All parts of the program with one draft, which is kept when the person switches parts. */
export function ProgramEditor({ newest }: { newest: ProgramState }) {
  const t = useWords(words);
  const draft = useDraftState(newest);
  const tab = useParam("tab") ?? "store";
  useEffect(() => warmCode(Object.values(OWN_TABS).map(({ load }) => load)), []);
  return (
    <DraftContext value={draft}>
      <Page title={t.title} subtitle={<Subtitle />} action={<ProgramFile />}>
        <RestoreNotices />
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
  return isEditable ? version : t.readOnly(version);
}

function TabContent({ tab }: { tab: string }): ReactNode {
  if (isOwnTab(tab)) {
    const { Tab } = OWN_TABS[tab];
    return (
      <Suspense fallback={<ProgramSkeleton />}>
        <Tab />
      </Suspense>
    );
  }
  switch (tab) {
    case "store":
    case "earning":
    case "expiration":
    case "refunds":
    case "coupons":
    case "rewards":
    case "staff":
      return <SettingsTab key={tab} section={tab} />;
    default:
      return <PartNotFound />;
  }
}
