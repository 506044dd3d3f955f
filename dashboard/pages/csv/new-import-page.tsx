import { Anchor, Progress, Radio } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ImportAnswer, ImportKindName } from "../../../src/admin/csv/schema.ts";
import { type ImportKind, UPLOAD_KINDS } from "../../../src/wire/import-fields.ts";
import { importSample } from "../../../src/wire/import-samples.ts";
import { splitCommand, UPLOAD_BYTES_MAX, UPLOAD_MB_MAX } from "../../../src/wire/split-command.ts";
import { apiGet, apiUpload } from "../../api/client.ts";
import { Page } from "../../ui/layout/page.tsx";
import { PageLink } from "../../ui/layout/page-link.tsx";
import { sameImportOf } from "../../ui/same-import-of.ts";
import { notifyDone } from "../../ui/states/notify-done.tsx";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useNavigateWhileShown } from "../../ui/urls/use-navigate-while-shown.ts";
import { useUrlState } from "../../ui/urls/use-url-state.ts";
import { CodeBlock } from "../../ui/values/code-block.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useLanguage } from "../../words/language.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./csv.module.css";
import { DropZone } from "./drop-zone.tsx";
import { uploadWords } from "./upload-words.ts";
import { words } from "./words.ts";

/** A new import: the kind of file, and the file. */
export function NewImportPage() {
  const t = useWords(words);
  const w = useWords(uploadWords);
  const [{ kind }, setState] = useUrlState({ kind: "points" });
  const chosen = UPLOAD_KINDS.find((known) => known === kind) ?? "points";
  const { upload, part } = useUpload(chosen);
  const [large, setLarge] = useState<File | null>(null);
  const onFile = (file: File) => {
    const isLarge = file.size > UPLOAD_BYTES_MAX;
    setLarge(isLarge ? file : null);
    if (!isLarge) upload.mutate(file);
  };
  return (
    <Page title={t.newImport} back={{ to: "/csv", label: t.title }}>
      <div className={classes["stack"]}>
        <Radio.Group label={w.whatKind} value={chosen} onChange={(value) => setState({ kind: value })}>
          <div className={classes["stack"]}>
            {UPLOAD_KINDS.map((known, n) => (
              <Radio
                key={known}
                value={known}
                label={t.kinds[known]}
                description={w.kindHints[known]}
                {...(n === 0 ? { mt: 8 } : {})}
              />
            ))}
          </div>
        </Radio.Group>
        {upload.isPending ? (
          <div className={classes["progress"]}>
            <p className={classes["hint"]}>{w.uploadingFile(upload.variables.name)}</p>
            <Progress mt={8} value={part * 100} aria-label={w.uploadingFile(upload.variables.name)} />
          </div>
        ) : (
          <DropZone onFile={onFile} />
        )}
        {large === null ? null : <TooLarge file={large} />}
        {chosen === "move" ? null : <SampleLink kind={chosen} />}
        <SameFile error={upload.error} />
      </div>
    </Page>
  );
}

/** Shows the maximum size of a file, and how to split a larger one. */
function TooLarge({ file: { name, size } }: { file: File }) {
  const w = useWords(uploadWords);
  const format = useFormat();
  return (
    <div role="alert" className={classes["stack"]}>
      <p className={classes["notice"]}>
        {w.tooLarge(name, format.number(Math.ceil(size / 1_048_576)), format.number(UPLOAD_MB_MAX))}
      </p>
      <CodeBlock label={w.splitCommand} text={splitCommand(name)} />
    </div>
  );
}

/** A small file of the kind with all its columns, as a template. */
function SampleLink({ kind }: { kind: ImportKind }) {
  const w = useWords(uploadWords);
  const { language } = useLanguage();
  const sample = importSample(kind, language, new Date().getFullYear());
  return (
    <Anchor
      className={classes["sampleLink"] ?? ""}
      href={`data:text/csv;charset=utf-8,${encodeURIComponent(`\uFEFF${sample}`)}`}
      download={`${kind}-sample.csv`}
    >
      {w.sample}
    </Anchor>
  );
}

function useUpload(kind: ImportKindName) {
  const w = useWords(uploadWords);
  const go = useNavigateWhileShown();
  const client = useQueryClient();
  const [part, setPart] = useState(0);
  const upload = useMutation({
    mutationFn: (file: File) =>
      apiUpload<ImportAnswer>(`/imports?kind=${kind}&name=${encodeURIComponent(file.name)}`, file, setPart),
    onSuccess: ({ data }) => {
      client.setQueryData(["imports", "one", data.uid], data);
      void client.invalidateQueries({ queryKey: ["imports", "list"] });
      if (!go(`/csv/imports/${data.uid}`)) notifyDone(w.uploaded(data.file_name));
    },
    onError: (error) => {
      if (sameImportOf(error) === null) notifyFailed(error);
    },
    onSettled: () => setPart(0),
  });
  return { upload, part };
}

function SameFile({ error }: { error: unknown }) {
  const w = useWords(uploadWords);
  const format = useFormat();
  const uid = sameImportOf(error);
  const { data } = useQuery({
    queryKey: ["imports", "one", uid],
    queryFn: async ({ signal }) => (await apiGet<ImportAnswer>(`/imports/${uid ?? ""}`, {}, signal)).data,
    enabled: uid !== null,
  });
  if (uid === null || data === undefined) return null;
  return (
    <p role="alert" className={classes["notice"]}>
      <span>{w.sameFile(data.file_name, data.created_by, format.date(data.created_at))}</span>
      <PageLink to={`/csv/imports/${uid}`}>{w.openIt}</PageLink>
    </p>
  );
}
