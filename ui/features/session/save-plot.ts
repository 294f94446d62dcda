// Keeps a plot as a file beside the study, and says where.
import { call } from "$ui/backend";
import type { PlotFile } from "$ui/components/plots/types";
import { toast } from "$ui/components/toast.svelte";
import { plots as words } from "$ui/text/plots";
import { attempt } from "./attempt";

export const savePlot = (file: PlotFile): void =>
  void attempt(async () => {
    const done = await call("save_plot", {
      name: file.name,
      svg: file.svg,
      ...(file.png === undefined ? {} : { png: file.png }),
    });
    toast(words.saved(done.path));
  });
