/* The files of the viewer in referee/web/viewer/: the assembler puts their bytes into
 * the program, so what is tested in a browser is what is shipped. Paths are those of the folder
 * where make runs. */

#include "web/viewer.h"

/* Puts a file and a NUL under the label `name`, which is then a text. */
#define VIEWER_FILE(name, path)                                                                    \
    __asm__(".pushsection .rodata\n.global " #name "\n" #name                                      \
            ":\n.incbin \"referee/web/viewer/" path "\"\n.byte 0\n.popsection\n")

VIEWER_FILE(viewer_page, "viewer.html");
VIEWER_FILE(viewer_style, "viewer.css");
VIEWER_FILE(viewer_texts, "texts.js");
VIEWER_FILE(viewer_deal, "deal.js");
VIEWER_FILE(viewer_table, "table.js");
VIEWER_FILE(viewer_log, "log.js");
VIEWER_FILE(viewer_draw, "draw.js");
VIEWER_FILE(viewer_highlights, "highlights.js");
VIEWER_FILE(viewer_motion, "motion.js");
VIEWER_FILE(viewer_charts, "charts.js");
VIEWER_FILE(viewer_review, "review.js");
VIEWER_FILE(viewer_main, "viewer.js");
VIEWER_FILE(viewer_controls, "controls.js");
VIEWER_FILE(viewer_play, "play.html");
VIEWER_FILE(viewer_play_style, "play.css");
VIEWER_FILE(viewer_play_script, "play.js");

extern const char viewer_style[], viewer_texts[], viewer_deal[], viewer_table[], viewer_log[],
    viewer_draw[], viewer_highlights[], viewer_motion[], viewer_charts[], viewer_review[],
    viewer_main[], viewer_controls[], viewer_play_style[], viewer_play_script[];

const char *const viewer_styles[] = {viewer_style, NULL};

const char *const viewer_scripts[] = {
    "'use strict';\n", viewer_texts,      viewer_deal,   viewer_table,  viewer_log,
    viewer_draw,       viewer_highlights, viewer_motion, viewer_charts, viewer_review,
    viewer_main,       viewer_controls,   NULL,
};

const char *const viewer_play_styles[] = {viewer_style, viewer_play_style, NULL};

const char *const viewer_play_scripts[] = {
    "'use strict';\n", viewer_texts,      viewer_deal,   viewer_table,       viewer_log,
    viewer_draw,       viewer_highlights, viewer_motion, viewer_play_script, NULL,
};
