// Keeps a table as a Parquet file beside the study, and says where.
import { call } from "$ui/backend";
import type { TableFile } from "$ui/components/table";
import { toast } from "$ui/components/toast.svelte";
import { common } from "$ui/text";
import { attempt } from "./attempt";

export const saveTable = (file: TableFile): void =>
  void attempt(async () => {
    const done = await call("save_table", { ...file, form: "parquet" });
    toast(common.savedTable(done.path));
  });
