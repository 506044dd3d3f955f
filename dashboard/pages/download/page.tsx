import { Button } from "@mantine/core";
import { apiUrl } from "../../api/client.ts";
import { DownloadIcon } from "../../ui/layout/icons.tsx";
import { Page } from "../../ui/layout/page.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { useWords } from "../../words/use-words.ts";
import { filePageOf } from "./file-page.ts";
import { words } from "./words.ts";

/** Where the link of a file leads that was refused: the person has signed in by now, or the service says why it does not send it. */
export function DownloadPage() {
  const t = useWords(words);
  const [{ file, status }] = useUrlState({ file: "", status: "" });
  const page = filePageOf(file);
  return (
    <Page title={t.title}>
      {page === null ? <EmptyState title={t.none} /> : <LinkedFile {...{ file, status, page }} />}
    </Page>
  );
}

interface LinkedFileProps {
  file: string;
  status: string;
  /** The page that has its link. */
  page: string;
}

function LinkedFile({ file, status, page }: LinkedFileProps) {
  const t = useWords(words);
  const download = (label: string) => (
    <Button component="a" href={apiUrl(file)} leftSection={<DownloadIcon />}>
      {label}
    </Button>
  );
  const list = <PageLink to={page}>{t.list}</PageLink>;
  if (!/^[45]\d\d$/.test(status)) return <EmptyState title={t.ready} action={download(t.download)} />;
  if (status === "403") return <EmptyState title={t.notYours} />;
  if (status === "404") return <EmptyState title={page === "/csv/exports" ? t.goneExport : t.gone} action={list} />;
  if (status === "422") return <EmptyState title={t.wrongFilters} action={list} />;
  const isPassing = status === "429" || status.startsWith("5");
  return <EmptyState title={isPassing ? t.failedNow(status) : t.failed(status)} action={download(t.again)} />;
}
