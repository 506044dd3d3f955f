import { Button, FileButton } from "@mantine/core";
import { useRef, useState } from "react";
import type { ProgramPreview } from "../../../src/admin/program/schema.ts";
import type { ProgramDocument } from "../../../src/program/program-schema.ts";
import { ApiError } from "../../api/api-error.ts";
import { apiAsk } from "../../api/client.ts";
import { DownloadIcon, UploadIcon } from "../../ui/layout/icons.tsx";
import { saveFile } from "../../ui/save-file.ts";
import { notifyFailed } from "../../ui/states/notify-failed.tsx";
import { useWords } from "../../words/use-words.ts";
import { useDraft } from "./draft/draft-context.ts";
import { useReplaceDraft } from "./draft/use-replace-draft.tsx";
import { words } from "./words.ts";

/** The program as a file: the valid one can be downloaded, and a file can be loaded as a draft. */
export function ProgramFile() {
  const t = useWords(words);
  const { program, isEditable } = useDraft();
  return (
    <>
      <Button variant="default" leftSection={<DownloadIcon />} onClick={() => save(program.document, program.version)}>
        {t.download}
      </Button>
      {isEditable ? <UploadButton /> : null}
    </>
  );
}

function UploadButton() {
  const t = useWords(words);
  const { program } = useDraft();
  const reset = useRef<() => void>(null);
  const [isBusy, setIsBusy] = useState(false);
  const { replace, dialog } = useReplaceDraft();
  const read = async (file: File | null) => {
    if (file === null) return;
    setIsBusy(true);
    try {
      const document = await parsed(file, t.uploadFailed);
      const body = { document, base_version: program.version };
      const { data } = await apiAsk<{ data: ProgramPreview }>("/program/preview", body);
      replace(data.document);
    } catch (error) {
      notifyFailed(error);
    } finally {
      reset.current?.();
      setIsBusy(false);
    }
  };
  return (
    <>
      <FileButton
        resetRef={reset}
        accept="application/json,.json"
        onChange={read}
        inputProps={{ "aria-label": t.upload }}
      >
        {(props) => (
          <Button {...props} variant="default" leftSection={<UploadIcon />} loading={isBusy}>
            {t.upload}
          </Button>
        )}
      </FileButton>
      {dialog}
    </>
  );
}

async function parsed(file: File, fault: string): Promise<unknown> {
  try {
    return JSON.parse(await file.text());
  } catch {
    throw new ApiError(422, fault);
  }
}

function save(document: ProgramDocument, version: number): void {
  saveFile(`program-${version}.json`, "application/json", `${JSON.stringify(document, null, 2)}\n`);
}
