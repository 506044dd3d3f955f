import { Button } from "@mantine/core";
import { apiUrl } from "../../api/client.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { DownloadIcon } from "../../ui/icons.tsx";
import { Page } from "../../ui/page.tsx";
import { PageLink } from "../../ui/page-link.tsx";
import { useUrlState } from "../../ui/use-url-state.ts";
import { useWords } from "../../words/use-words.ts";
import { words } from "./words.ts";

/** A path of the API that is a file. It names nothing outside the API. */
const FILE = /^(?:\/[\w-]+)+(?:\.csv|\/file)(?:\?|$)/;

/** Where the link of a file leads that was refused: the person has signed in by now, or the service says why it does not send it. */
export function DownloadPage() {
  const t = useWords(words);
  const [{ file, status }] = useUrlState({ file: "", status: "" });
  return (
    <Page title={t.title}>
      {FILE.test(file) ? <LinkedFile {...{ file, status }} /> : <EmptyState title={t.none} />}
    </Page>
  );
}

function LinkedFile({ file, status }: { file: string; status: string }) {
  const t = useWords(words);
  const download = (label: string) => (
    <Button component="a" href={apiUrl(file)} leftSection={<DownloadIcon />}>
      {label}
    </Button>
  );
  if (status === "") return <EmptyState title={t.ready} action={download(t.download)} />;
  if (status === "403") return <EmptyState title={t.notYours} />;
  if (status === "404") {
    return <EmptyState title={t.gone} action={<PageLink to="/csv/exports">{t.exports}</PageLink>} />;
  }
  return <EmptyState title={t.failed(status)} action={download(t.again)} />;
}
