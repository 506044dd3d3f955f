import { useQuery } from "@tanstack/react-query";
import type { Connections } from "../../../src/admin/intake/schema.ts";
import { dataQuery } from "../../api/client.ts";
import { useSession } from "../../api/session.ts";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { CopyId } from "../../ui/values/copy-id.tsx";
import { Facts } from "../../ui/values/facts.tsx";
import { StateBadge } from "../../ui/values/state-badge.tsx";
import { nameOf } from "../../words/name-of.ts";
import { useWords } from "../../words/use-words.ts";
import { connectWords } from "./connect-words.ts";
import classes from "./intake.module.css";

const CONNECTIONS_QUERY = {
  queryKey: ["intake", "connections"],
  queryFn: dataQuery<Connections>("/intake/connections"),
};

/** How the platform, or another system, is connected: shown until the first event arrives. */
export function ConnectPart() {
  const t = useWords(connectWords);
  const { can } = useSession();
  const { data } = useQuery(CONNECTIONS_QUERY);
  return (
    <>
      <EmptyState title={t.none} hint={t.noneHint} />
      {data?.platforms.map((one) => (
        <Platform key={one.platform} connection={one} />
      ))}
      {data === undefined ? null : (
        <Section title={t.other}>
          <p className={classes["connect"]}>{t.otherHint}</p>
          <Facts
            items={[
              [t.address, <CopyId key="address" value={data.events} />],
              [
                t.credential,
                can("credentials.manage") ? (
                  <PageLink key="credential" to="/credentials">
                    {t.makeCredential}
                  </PageLink>
                ) : (
                  t.askOwner
                ),
              ],
            ]}
          />
        </Section>
      )}
    </>
  );
}

function Platform({
  connection: { platform, address, has_secret: hasSecret },
}: {
  connection: Connections["platforms"][number];
}) {
  const t = useWords(connectWords);
  const state = hasSecret ? t.isSet : t.isNotSet;
  return (
    <Section
      title={nameOf(t.platforms, platform)}
      action={<StateBadge tone={hasSecret ? "good" : "neutral"}>{state}</StateBadge>}
    >
      <p className={classes["connect"]}>{t.connectHint}</p>
      <Facts
        items={[
          [t.command, <CopyId key="command" value={`pointkeeper connect ${platform}`} />],
          [t.byHand, <CopyId key="address" value={address} />],
          [t.secret, <CopyId key="secret" value={`${platform.toUpperCase()}_WEBHOOK_SECRETS`} />],
          [t.guide, `docs/${platform}.md`],
        ]}
      />
    </Section>
  );
}
