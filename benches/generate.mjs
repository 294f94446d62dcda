// A harness run of any size, the same bytes for the same arguments: prompts with rubrics, and answers in text and picture
// with grades. `raw` makes rows as heavy as real ones, which hold the provider's whole answer.
import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';

/** A stream of numbers from 0 to 2^32 - 1 (xorshift). */
function numbers(seed) {
  let state = (seed * 2654435761 + 1) >>> 0 || 1;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>>= 0);
  };
}

/** A small PNG that no other index gives. */
function picture(index) {
  const draw = numbers(index + 1);
  const side = 96;
  const lines = Buffer.alloc((side * 3 + 1) * side);
  for (let at = 0; at < lines.length; at++) lines[at] = at % (side * 3 + 1) === 0 ? 0 : draw() & 0x3f;
  const chunk = (kind, body) => {
    const named = Buffer.concat([Buffer.from(kind, 'latin1'), body]);
    const out = Buffer.alloc(named.length + 8);
    out.writeUInt32BE(body.length, 0);
    named.copy(out, 4);
    out.writeUInt32BE(crc32(named), named.length + 4);
    return out;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', header), chunk('IDAT', deflateSync(lines)), chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Text that looks like base64 of nothing in particular. */
function filler(bytes, seed) {
  const draw = numbers(seed + 77);
  const block = Buffer.alloc(Math.min(bytes, 1 << 16));
  for (let at = 0; at < block.length; at++) block[at] = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'.charCodeAt(draw() & 63);
  const text = block.toString('latin1');
  return text.repeat(Math.ceil(bytes / Math.max(1, text.length))).slice(0, bytes);
}

const modalities = ['Text', 'Image', 'Audio', 'Video', 'Document'];

/**
 * Writes `responses` answers of `models` models below `folder`, each row with `raw` bytes of the provider's answer.
 * The first row's is `heavy` bytes if that
 * is given. Answers the folder, and the bytes of its result rows and pictures.
 */
export function generate(folder, { responses, models = 4, raw = 0, heavy = 0, pictures = true }) {
  const prompts = Math.ceil(responses / models);
  const results = path.join(folder, 'results/bench');
  mkdirSync(results, { recursive: true });
  const criteria = [
    { id: '1', criterion: 'States which of the two plans costs less over three years.', modality: 'text' },
    { id: '2', criterion: 'Gives the difference in euro.', modality: 'text' },
    { id: '3', criterion: 'Delivers an image file.', modality: 'image' },
    { id: '4', criterion: 'The image shows both plans beside each other.', modality: 'image' },
  ];
  const question = (n) => `Compare plan ${n} with plan ${n + 1} over three years, in words and in a picture.`;
  const key = (n) => `p${String(100000 + n * 7).padStart(6, '0')}`;
  const dataset = [];
  for (let n = 0; n < prompts; n++) {
    dataset.push(JSON.stringify({
      prompt_id: key(n), prompt_text: question(n), input_modalities: 'Text', output_modalities: 'Text, Image', input_files: '',
      rubrics: JSON.stringify({ criteria }),
    }));
  }
  writeFileSync(path.join(folder, 'dataset.jsonl'), dataset.join('\n') + '\n');
  let made = 0;
  let bytes = 0;
  for (let m = 0; m < models && made < responses; m++) {
    const model = `model-${m + 1}`;
    const stem = `20260612_093015_${model}`;
    const file = openSync(path.join(results, `${stem}.jsonl`), 'w');
    for (let n = 0; n < prompts && made < responses; n++, made++) {
      const prompt = key(n);
      const text = `Plan ${n} costs less: ${900 + ((made * 37) % 400)} euro against ${1400 + ((made * 53) % 400)} euro.`;
      const assets = [];
      if (pictures) {
        const png = picture(made);
        bytes += png.length;
        const place = path.join(results, `${stem}_assets`, prompt);
        const name = `${prompt}_output_0_image.png`;
        mkdirSync(place, { recursive: true });
        writeFileSync(path.join(place, name), png);
        assets.push({
          asset_id: `${prompt}_output_0`, prompt_id: prompt, modality: 'Image', source_type: 'image_generation_call', delivery: 'provider_tool',
          mime_type: 'image/png', modality_hint: '', local_path: `results/bench/${stem}_assets/${prompt}/${name}`, source_url: '',
          sha256: createHash('sha256').update(png).digest('hex'), size_bytes: png.length, capture_status: 'captured', error: '', metadata: {},
        });
      }
      const there = (modality) => modality === 'Text' || (modality === 'Image' && pictures);
      const row = {
        prompt_id: prompt, run_name: model, provider: 'openai', model: `${model}-2026`, expected_modalities: ['Text', 'Image'],
        per_modality: Object.fromEntries(modalities.map((modality) => [modality, {
          detected_native: there(modality), detected_via_url: false, detected_via_judge: false, pass_strict: there(modality), pass_lenient: there(modality),
        }])),
        judge_used: false, judge_model: '', judge_reasoning: '', is_error: false, error_message: '', error_type: '',
        raw_response: { id: `resp_${made}`, output: [{ type: 'image_generation_call', result: filler(made === 0 && heavy ? heavy : raw, made) }] },
        response_text: text, output_assets: assets, tool_calls: [], rubric_used: true,
        rubric_grades: criteria.map((criterion, at) => ({
          index: at + 1, id: criterion.id, rubric: criterion.criterion, modality: criterion.modality === 'text' ? 'Text' : 'Image',
          score: (made * 5 + at * 3) % 4 === 0 ? 0 : 1, explanation: 'As the answer shows.', evaluator_error: false, payload_status: 'gradeable',
        })),
        rubric_judge_model: 'judge-1', produced_modalities: pictures ? ['Text', 'Image'] : ['Text'],
      };
      const line = Buffer.from(JSON.stringify(row) + '\n');
      bytes += line.length;
      writeSync(file, line);
    }
    closeSync(file);
  }
  return { folder, bytes };
}
