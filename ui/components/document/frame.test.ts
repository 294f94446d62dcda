// @vitest-environment jsdom
/** Hostile pages: what is left of them runs, loads and leads nowhere. */
import { describe, expect, it } from "vitest";
import { cleaned, frameSource, POLICY } from "./frame";

const hostile = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "<img src=https://a.example/pixel.png srcset='https://a.example/2.png 2x'>",
  "<iframe src=https://a.example></iframe><iframe srcdoc='<script>alert(1)</script>'></iframe>",
  "<link rel=stylesheet href=https://a.example/x.css><link rel=dns-prefetch href=//a.example>",
  "<meta http-equiv=refresh content='0;url=https://a.example'>",
  "<base href=https://a.example><a href=/x>y</a>",
  "<a href='javascript:alert(1)' onclick=alert(1) ping=https://a.example>x</a>",
  "<form action=https://a.example><button formaction=https://a.example>go</button></form>",
  "<svg><script>alert(1)</script><image href=https://a.example/x.png /><use href=https://a.example/#x /></svg>",
  "<svg><animate onbegin=alert(1) attributeName=x dur=1s /></svg>",
  "<math><maction actiontype=statusline href=https://a.example>x</maction></math>",
  "<video src=https://a.example/v.mp4 poster=https://a.example/p.png autoplay></video>",
  "<object data=https://a.example></object><embed src=https://a.example>",
  "<body background=https://a.example/b.png onload=alert(1)>x</body>",
  "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
];

describe("a page for a frame", () => {
  it.each(hostile)("%s is inert", (html) => {
    const root = cleaned(html);
    expect(
      root.querySelectorAll(
        "script, iframe, frame, object, embed, link, meta, base, form, video, audio, source, noscript, template",
      ).length,
      "no element that runs, loads or leads away",
    ).toBe(0);
    const bad = [...root.querySelectorAll("*")].flatMap((element) =>
      [...element.attributes]
        .filter(
          (a) =>
            /^on|^(srcset|href|xlink:href|action|formaction|ping|poster|background|srcdoc|autofocus|target)$/i.test(
              a.name,
            ) ||
            (a.name === "src" && !a.value.startsWith("data:image/")),
        )
        .map((a) => `${element.tagName} ${a.name}`),
    );
    expect(bad, "no attribute that does").toEqual([]);
  });
  it("stands under the policy, before anything else", () => {
    const page = new DOMParser().parseFromString(frameSource("<title>t</title><p>x</p>"), "text/html");
    const first = page.head.firstElementChild;
    expect(first?.getAttribute("http-equiv")).toBe("Content-Security-Policy");
    expect(first?.getAttribute("content")).toBe(POLICY);
    expect(POLICY, "nothing loads but pictures inside").toBe(
      "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
    );
    expect(page.body.textContent).toContain("x");
  });
  it("keeps looks, pictures inside it, and says where links would lead", () => {
    const root = cleaned(
      "<head><style>p{color:red}</style></head><p style='font-weight:bold'>x <img alt=dot src='data:image/png;base64,AAAA'>" +
        "<a href='https://shop.example/a?b'>shop</a></p>",
    );
    expect(root.querySelector("style")?.textContent).toContain("color:red");
    expect(root.querySelector("p")?.getAttribute("style")).toContain("bold");
    expect(root.querySelector("img")?.getAttribute("src")).toBe("data:image/png;base64,AAAA");
    expect(root.querySelector("a")?.getAttribute("data-host")).toBe("shop.example");
    expect(root.querySelector("a")?.getAttribute("title")).toBe("https://shop.example/a?b");
  });
});
