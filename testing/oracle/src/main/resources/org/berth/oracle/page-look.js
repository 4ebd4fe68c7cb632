// Looks at the page in each frame of this document and lists what a reader could not read, as an attribute of the body.
addEventListener('load', async function () {
  const found = new Map();
  // A few examples of each kind tell where to look.
  const say = (kind, example) => {
    const examples = found.get(kind) || [];
    if (examples.length < 4 && !examples.includes(example)) examples.push(example);
    found.set(kind, examples);
  };
  const shorten = words => words.replace(/\s+/g, ' ').trim().substring(0, 60);

  // In the page of another program only our part.
  const ours = page => page.querySelector('.berth') || page.body;

  function texts(page) {
    const all = [];
    const walker = page.createTreeWalker(ours(page), NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node.parentElement;
      if (!node.data.trim() || element.closest('style, script, noscript, title, desc, metadata') || !element.checkVisibility()) continue;
      const range = page.createRange();
      range.selectNodeContents(node);
      for (const box of range.getClientRects()) {
        if (box.width > 0 && box.height > 0) all.push({ element, box, words: shorten(node.data) });
      }
    }
    return all;
  }

  function look(frame) {
    const page = frame.contentDocument, view = frame.contentWindow, width = frame.clientWidth;
    const least = Number(frame.dataset.least), at = ' at ' + width + ' px';
    if (ours(page) === page.body && page.documentElement.scrollWidth > width) say('scrolls sideways' + at, page.documentElement.scrollWidth + ' px');
    const all = texts(page);
    if (all.length === 0) say('no text' + at, shorten(page.body.textContent));
    for (const { element, box, words } of all) {
      const scrolled = element.closest('.scroll');
      if (!scrolled && (box.left < -0.5 || box.right > width + 0.5)) say('text outside of the page' + at, words);
      for (let around = element; around; around = around.parentElement) {
        const style = view.getComputedStyle(around);
        if (around === page.documentElement || around === page.body || style.display === 'inline') continue;
        const edge = around.getBoundingClientRect();
        const cut = overflow => overflow === 'hidden' || overflow === 'clip';
        if (cut(style.overflowX) && (box.left < edge.left - 1 || box.right > edge.right + 1)
            || cut(style.overflowY) && (box.top < edge.top - 3 || box.bottom > edge.bottom + 3)) say('cut text' + at, words);
      }
      const matrix = element.getScreenCTM ? element.getScreenCTM() : null;
      const scale = matrix ? Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c)) : 1;
      const size = parseFloat(view.getComputedStyle(element).fontSize) * scale;
      if (size < least - 0.01) say('text below ' + least + ' px' + at, size.toFixed(1) + ' px: ' + words);
    }
    all.sort((one, other) => one.box.top - other.box.top);
    all.forEach((one, index) => {
      for (let i = index + 1; i < all.length && all[i].box.top < one.box.bottom - 3; i++) {
        const other = all[i];
        if (one.box.left < other.box.right - 1 && other.box.left < one.box.right - 1) {
          say('text on text' + at, one.words + ' | ' + other.words);
        }
      }
    });
  }

  for (const frame of document.querySelectorAll('iframe')) {
    const page = frame.contentDocument;
    page.querySelectorAll('details').forEach(details => { details.open = true; });
    frame.style.height = page.documentElement.scrollHeight + 'px';
    look(frame);
    const axe = page.createElement('script');
    axe.textContent = document.getElementById('axe').textContent;
    page.head.append(axe);
    const results = await frame.contentWindow.axe.run(page.querySelector('.berth') || page, { resultTypes: ['violations'] });
    results.violations.forEach(one => one.nodes.forEach(node => say(
        'axe ' + one.id + ' at ' + frame.clientWidth + ' px', shorten(node.html) + ': ' + node.failureSummary.replace(/\s+/g, ' '))));
  }
  document.body.setAttribute('data-faults', JSON.stringify(
      [...found].map(([kind, examples]) => kind + ': ' + examples.join('; '))));
});
