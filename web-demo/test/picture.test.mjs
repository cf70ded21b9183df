// Tests the picture of a plan in Chromium: coming near, groups, colours, what is chosen, and moves.
import assert from 'node:assert/strict';
import { describe } from 'node:test';
import { PHONE, assertAccessible, checked, idle, nodes, pageTests, preset, useBrowser, withoutBrowser } from './support.mjs';

const TABLET = { width: 800, height: 900 };
const cell = (page) => page.$eval('#zoom', (one) => Number(/\d+/.exec(one.getAttribute('aria-valuetext'))[0]));
/** Pixels of the picture, as a text. */
const drawn = (page) => page.$eval('#heat', (canvas) => canvas.toDataURL());
const changed = (page, before) => page.waitForFunction((one) => document.querySelector('#heat').toDataURL() !== one, before);

/** Numbers in the legend, by words. */
const legend = (page) =>
  page.$$eval('#picture .legend span', (all) =>
    Object.fromEntries(all.map((one) => /^(.*?)(?:: ([\d,]+) nodes?)?$/.exec(one.textContent)).map(([, words, n]) => [words, Number(n?.replaceAll(',', ''))])),
  );

describe('the picture', { skip: withoutBrowser }, () => {
  const own = useBrowser();
  const onPage = pageTests(own, preset('dense', { apps: 400 }));

  onPage('comes nearer with the wheel, and stays under the pointer', async (page) => {
    const far = await cell(page);
    const before = await drawn(page);
    const at = { x: 300, y: 100 };
    await page.hover('#heat', { position: at });
    const under = await page.textContent('.tip');
    // Without the focus, the wheel scrolls the page.
    const scrolled = await page.evaluate(() => scrollY);
    await page.mouse.wheel(0, 40);
    await page.waitForFunction((was) => scrollY !== was, scrolled);
    assert.equal(await cell(page), far);
    await page.focus('#heat');
    await page.hover('#heat', { position: at });
    const chosen = await page.textContent('.tip');
    for (let k = 0; k < 3; ++k) await page.mouse.wheel(0, -250);
    await page.waitForFunction((was) => Number(/\d+/.exec(document.querySelector('#zoom').getAttribute('aria-valuetext'))[0]) > 1.5 * was, far);
    await changed(page, before);
    await page.hover('#heat', { position: { x: at.x + 1, y: at.y } });
    assert.equal(await page.textContent('.tip'), chosen);
    assert.match(under, /^node-\d+: /);
    await page.keyboard.press('0');
    await page.waitForFunction((was) => document.querySelector('#zoom').getAttribute('aria-valuetext') === `cells of ${was} pixels`, far);
  });

  onPage('is pinched on a screen, and dragged', async (page) => {
    const far = await cell(page);
    const session = await page.context().newCDPSession(page);
    await page.locator('#heat').scrollIntoViewIfNeeded();
    const { x, y, width, height } = await page.locator('#heat').boundingBox();
    const [left, top] = [x + width / 2, y + height / 2];
    const touches = (by) => [-1, 1].map((side, id) => ({ x: left + side * by, y: top, id }));
    const touch = (type, points) => session.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await touch('touchStart', touches(20));
    for (const by of [40, 70, 100]) await touch('touchMove', touches(by));
    await touch('touchEnd', []);
    await page.waitForFunction((was) => Number(/\d+/.exec(document.querySelector('#zoom').getAttribute('aria-valuetext'))[0]) > 2 * was, far);
    // For half a second after a touch, what looks like a mouse is the touch.
    await page.waitForTimeout(600);
    await page.hover('#heat');
    const before = await page.textContent('.tip');
    await page.mouse.down();
    await page.mouse.move(left - 150, top, { steps: 4 });
    await page.mouse.up();
    await page.hover('#heat');
    assert.notEqual(await page.textContent('.tip'), before);
  }, { hasTouch: true });

  onPage('shows names, bars and apps of near nodes, in any number', async (page) => {
    assert.ok((await nodes(page)) > 60);
    await page.selectOption('#style', 'heat');
    const far = await drawn(page);
    assert.ok((await cell(page)) < 84);
    await page.focus('#heat');
    for (let k = 0; k < 8; ++k) await page.press('#heat', '+');
    await page.waitForFunction(() => document.querySelector('#zoom').getAttribute('aria-valuetext') === 'cells of 250 pixels');
    // A near cell has bars in the colours of its apps, as the bars beside have: some of these pixels are there.
    await page.press('#heat', 'Enter');
    await page.waitForSelector('#node-panel table');
    const color = await page.$eval('#node-panel .stack i', (one) => getComputedStyle(one).backgroundColor);
    await page.waitForFunction((wanted) => {
      const canvas = document.querySelector('#heat');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      const [red, green, blue] = wanted.match(/\d+/g).map(Number);
      let found = 0;
      for (let k = 0; k < data.length; k += 4)
        if (Math.abs(data[k] - red) + Math.abs(data[k + 1] - green) + Math.abs(data[k + 2] - blue) < 4) ++found;
      return found > 200;
    }, color);
    await changed(page, far);
  });

  onPage(
    'comes near enough for bars where there are too many nodes for a list of them',
    async (page) => {
      assert.ok((await nodes(page)) > 240);
      await page.selectOption('#style', 'bars');
      await page.waitForFunction(() => Number(/\d+/.exec(document.querySelector('#zoom').getAttribute('aria-valuetext'))[0]) >= 84);
    },
    { fragment: preset('dense', { apps: 1000 }) },
  );

  onPage('has a histogram of use, whose columns are all nodes', async (page) => {
    const told = await page.$$eval('#spread title', (all) => all.map((one) => one.textContent));
    assert.equal(told.length, 21);
    const numbers = told.map((text) => Number(/: ([\d,]+) nodes?$/.exec(text)[1].replaceAll(',', '')));
    assert.equal(numbers.reduce((sum, one) => sum + one), await nodes(page));
    assert.match(await page.getAttribute('#spread svg', 'aria-label'), /most of them, \d+ nodes, at 95 % to 100 %/);
  });

  onPage(
    'groups nodes by class and by zone',
    async (page) => {
      const names = await page.$$eval('#group option', (all) => all.map((one) => one.textContent));
      assert.deepEqual(names.slice(0, 1), ['nothing']);
      assert.ok(names.some((one) => one.startsWith('zone ')), names.join());
      await page.selectOption('#group', { label: names.find((one) => one.startsWith('zone ')) });
      await page.waitForSelector('#bars h3');
      const parts = await page.$$eval('#bars > *', (all) =>
        all.map((one) => (one.matches('h3') ? one.textContent : one.querySelector('strong').textContent)),
      );
      let zone = '';
      for (const part of parts) {
        const title = /^([abc]) \(\d+\)$/.exec(part);
        if (title !== null) zone = title[1];
        else assert.ok(part.startsWith(zone), `${part} is in ${zone}`);
      }
      assert.equal(parts.filter((one) => /\(/.test(one)).reduce((sum, one) => sum + Number(/\((\d+)\)/.exec(one)[1]), 0), await nodes(page));
      // In the heat map too: the reading names the zone.
      await page.selectOption('#style', 'heat');
      await page.waitForSelector('#heat:visible');
      await page.focus('#heat');
      await page.press('#heat', 'End');
      assert.match(await page.textContent('#reading'), new RegExp(`^${zone}\\d+: .*, zone ${zone}$`));
      await page.press('#heat', 'ArrowUp');
      assert.doesNotMatch(await page.textContent('#reading'), new RegExp(`zone ${zone}$`));
    },
    { fragment: preset('zones') },
  );

  onPage(
    'groups nodes by rack',
    async (page) => {
      await page.selectOption('#group', { label: 'rack (4)' });
      await page.waitForSelector('#bars h3');
      assert.deepEqual(await page.$$eval('#bars h3', (all) => all.map((one) => one.textContent)), ['1 (5)', '2 (5)', '3 (5)', '4 (5)']);
    },
    { fragment: preset('racks') },
  );

  onPage('colours what moved since another plan', async (page) => {
    await page.selectOption('#color', 'moved');
    await page.waitForFunction(() => /unchanged|came|went/.test(document.querySelector('#picture .legend').textContent));
    const numbers = await legend(page);
    assert.equal(Object.values(numbers).reduce((sum, one) => sum + one), await nodes(page));
    assert.ok((numbers['came and went'] ?? 0) + (numbers['replicas came'] ?? 0) > 0);
    await page.focus('#heat');
    await page.press('#heat', 'Home');
    assert.match(await page.textContent('#reading'), /\d+ replicas? came and \d+ went$/);
  });

  onPage(
    'shows mean and margin where demand is uncertain, as the library counts them',
    async (page) => {
      await page.click('.bars .node >> nth=0');
      await page.waitForSelector('#node-panel .margin');
      const [, mean, margin, together] = /Mean ([\d.]+) and margin ([\d.]+), together ([\d.]+) cores/.exec(await page.textContent('#node-panel .margin')).map(Number);
      assert.ok(margin > 0);
      assert.ok(Math.abs(mean + margin - together) < 0.02);
      assert.ok(await page.locator('.bars .stack i.uncertain').count() >= (await nodes(page)) / 2);
      const { plan } = await checked(page);
      assert.ok(Math.abs(plan.nodeUcac[0] - together) < 0.006);
    },
    { fragment: preset('uncertain') },
  );

  onPage(
    'shows what is on a node over the periods as stacked areas',
    async (page) => {
      await page.focus('#heat');
      await page.press('#heat', 'Enter');
      await page.locator('#node-panel .packing .chart >> nth=0').scrollIntoViewIfNeeded();
      await page.waitForSelector('#node-panel .packing .uplot');
      await page.locator('#node-panel .packing .chart >> nth=1').scrollIntoViewIfNeeded();
      await page.waitForFunction(() => document.querySelectorAll('#node-panel .packing .uplot').length === 2);
      // The areas have the colours of the apps in the bars above.
      const colors = await page.$$eval('#node-panel .stack >> nth=0 >> i', (all) => all.map((one) => getComputedStyle(one).backgroundColor));
      assert.ok(colors.length > 2);
      const found = await page.$eval(
        '#node-panel .packing canvas',
        (canvas, wanted) => {
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          return wanted.filter((color) => {
            const [red, green, blue] = color.match(/\d+/g).map(Number);
            let pixels = 0;
            for (let k = 0; k < data.length; k += 4)
              if (Math.abs(data[k] - red) + Math.abs(data[k + 1] - green) + Math.abs(data[k + 2] - blue) < 5) ++pixels;
            return pixels > 30;
          }).length;
        },
        colors,
      );
      assert.ok(found >= Math.min(3, colors.length), `${found} of ${colors.length} colours`);
    },
    { fragment: preset('periods', { apps: 200 }) },
  );

  onPage('keeps what is chosen in view, and lets it go with Escape', async (page) => {
    await page.focus('#heat');
    await page.press('#heat', 'Enter');
    await page.waitForSelector('#side #node-panel table');
    for (const top of [0, 700, 100_000]) {
      await page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top);
      const seen = await page.$eval('#side', (one) => {
        const box = one.getBoundingClientRect();
        return box.bottom > 60 && box.top < innerHeight - 60;
      });
      assert.ok(seen || top === 100_000, `scrolled to ${top}`);
    }
    await page.keyboard.press('Escape');
    await page.waitForSelector('#side', { state: 'hidden' });
  });

  onPage(
    'keeps what is chosen in view on a phone',
    async (page) => {
      await page.locator('#heat').click({ position: { x: 5, y: 5 } });
      await page.waitForSelector('#side #node-panel table');
      for (const top of [0, 3000, 100_000]) {
        await page.evaluate((to) => scrollTo({ top: to, behavior: 'instant' }), top);
        const box = await page.$eval('#side', (one) => one.getBoundingClientRect().toJSON());
        assert.ok(box.bottom <= PHONE.height + 1 && box.top > PHONE.height / 2, JSON.stringify(box));
      }
    },
    { viewport: PHONE },
  );

  onPage(
    'lists the moves between two plans in order, and steps through them',
    async (page) => {
      await page.click('#order-moves');
      await page.waitForSelector('#order-facts');
      const [, moved, waves] = /^(\d+) replicas? changes? .*? in (\d+) waves?/.exec((await page.textContent('#order-facts')).replace('change their', 'changes their')).map(Number);
      assert.ok(moved > 0 && waves > 0);
      assert.equal(Number(await page.getAttribute('#step', 'max')), waves);
      await page.click('#ordered summary');
      const rows = await page.$$eval('#ordered tbody tr', (all) => all.map((one) => [...one.cells].map((each) => each.textContent)));
      assert.deepEqual(rows.map(([wave]) => Number(wave)), rows.map(([wave]) => Number(wave)).sort((a, b) => a - b));
      assert.ok(rows.filter(([, , , from, to]) => from !== 'starts' && to !== 'ends').reduce((sum, [, , n]) => sum + Number(n), 0) >= moved);
      const picture = () => page.$eval('#ordered canvas', (canvas) => canvas.toDataURL());
      const before = await picture();
      await page.focus('#step');
      await page.press('#step', 'End');
      assert.equal(await page.textContent('#step-text'), 'The second plan is reached.');
      assert.notEqual(await picture(), before);
    },
    { fragment: preset('dense', { apps: 60 }) },
  );

  for (const reducedMotion of ['no-preference', 'reduce']) {
    onPage(
      `plays the moves, reduced motion: ${reducedMotion}`,
      async (page) => {
        await page.emulateMedia({ reducedMotion });
        await page.click('#order-moves');
        await page.waitForSelector('#order-facts');
        await page.locator('#play-moves').scrollIntoViewIfNeeded();
        await page.click('#play-moves');
        const pictures = new Set();
        for (let k = 0; k < 6; ++k) {
          pictures.add(await page.$eval('#ordered canvas', (canvas) => canvas.toDataURL()));
          await page.waitForTimeout(60);
        }
        // Within the first wave: many pictures while things move, one where nothing may.
        if (reducedMotion === 'reduce') assert.equal(pictures.size, 1);
        else assert.ok(pictures.size > 1);
        await page.waitForFunction(() => Number(document.querySelector('#step').value) > 0);
        await page.waitForFunction(() => document.querySelector('#play-moves').textContent === 'Play', undefined, { timeout: 20_000 });
        assert.equal(await page.textContent('#step-text'), 'The second plan is reached.');
      },
      { fragment: preset('dense', { apps: 60 }) },
    );
  }

  for (const colorScheme of ['light', 'dark']) {
    for (const viewport of [undefined, TABLET, PHONE]) {
      onPage(
        `is accessible, ${colorScheme}, ${viewport?.width ?? 'desktop'}`,
        async (page) => {
          await page.selectOption('#group', { index: 1 });
          await page.click('.bars .node >> nth=0');
          await page.waitForSelector('#node-panel table');
          await page.selectOption('#style', 'heat');
          await page.waitForSelector('#heat:visible');
          await page.selectOption('#color', { value: 'moved' }).catch(() => undefined);
          await idle(page);
          await page.click('#order-moves');
          await page.waitForSelector('#order-facts');
          await assertAccessible(page);
          const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
          assert.equal(content, width);
        },
        { colorScheme, ...(viewport === undefined ? {} : { viewport }), fragment: preset('zones') },
      );
    }
  }
});
