/* Statistics of tables of counts: standard input has tables, each with its numbers of rows and columns before it; lines
 * that begin with # are comments. For each table: whether rows and columns are independent.
 * Arguments: -v prints sums, -t NUMBER sets the threshold, -h prints help. Whole program. Function under test: main */

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_LINE 128
#define MOST_CELLS 100

#define TOO_SMALL (-1.0)
#define NEGATIVE (-2.0)
#define EMPTY (-3.0)
#define NO_MEMORY (-4.0)

struct table {
    int rows, columns;
    long cells[MOST_CELLS];
};

struct options {
    int is_verbose;
    double threshold;
};

static int is_blank(const char *line)
{
    while (isspace((unsigned char)*line))
        line++;
    return *line == '\0' || *line == '#';
}

/* The chi-square statistic, or one of the codes above. */
static double chi_square(const struct table *table, int *freedom, int is_verbose)
{
    long *row_sums, *column_sums, total = 0;
    double sum = 0.0;
    int r, c;

    if (table->rows < 2 || table->columns < 2)
        return TOO_SMALL;
    row_sums = malloc(table->rows * sizeof *row_sums);
    if (row_sums == NULL)
        return NO_MEMORY;
    column_sums = calloc(table->columns, sizeof *column_sums);
    if (column_sums == NULL) {
        free(row_sums);
        return NO_MEMORY;
    }
    for (r = 0; r < table->rows; r++) {
        row_sums[r] = 0;
        for (c = 0; c < table->columns; c++) {
            long cell = table->cells[r * table->columns + c];
            if (cell < 0) {
                sum = NEGATIVE;
                goto done;
            }
            row_sums[r] += cell;
            column_sums[c] += cell;
        }
        total += row_sums[r];
    }
    if (total == 0) {
        sum = EMPTY;
        goto done;
    }
    *freedom = (table->rows - 1) * (table->columns - 1);
    for (r = 0; r < table->rows; r++) {
        if (row_sums[r] == 0) {
            *freedom -= table->columns - 1;
            continue;
        }
        for (c = 0; c < table->columns; c++) {
            double expected, off;
            if (column_sums[c] == 0) {
                if (r == 0)
                    *freedom -= table->rows - 1;
                continue;
            }
            expected = (double)row_sums[r] * column_sums[c] / total;
            off = table->cells[r * table->columns + c] - expected;
            sum += off * off / expected;
        }
        if (is_verbose)
            printf("row %d: %ld\n", r, row_sums[r]);
    }
done:
    free(row_sums);
    free(column_sums);
    return sum;
}

static int read_table(struct table *table, char *line)
{
    int n, cells;
    while (fgets(line, LONGEST_LINE, stdin) != NULL) {
        if (is_blank(line))
            continue;
        if (sscanf(line, "%d %d", &table->rows, &table->columns) != 2) {
            printf("* invalid header: %s\n", line);
            return -1;
        }
        if (table->rows < 1 || table->columns < 1 || table->rows > MOST_CELLS / table->columns) {
            printf("* too small or too large: %d x %d\n", table->rows, table->columns);
            return -1;
        }
        cells = table->rows * table->columns;
        for (n = 0; n < cells; n++)
            if (scanf("%ld", &table->cells[n]) != 1) {
                printf("* end of file in a table\n");
                return -1;
            }
        return 1;
    }
    return 0;
}

static void report(double sum, int freedom, const struct options *options)
{
    if (sum >= 0.0) {
        printf("2info = %.2f  degrees of freedom = %d\n", sum, freedom);
        if (freedom <= 0)
            printf("no freedom is left\n");
        else if (sum > options->threshold * freedom)
            printf("dependent\n");
        else
            printf("independent\n");
    } else if (sum == TOO_SMALL) {
        printf("a table needs two rows and columns\n");
    } else if (sum == NEGATIVE) {
        printf("a count is negative\n");
    } else if (sum == EMPTY) {
        printf("nothing was counted\n");
    } else {
        printf("out of memory\n");
    }
}

static int read_options(int argc, char **argv, struct options *options)
{
    int i;
    char *end;
    options->is_verbose = 0;
    options->threshold = 3.84;
    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-v") == 0 || strcmp(argv[i], "--verbose") == 0) {
            options->is_verbose = 1;
        } else if (strcmp(argv[i], "-t") == 0) {
            if (i + 1 == argc)
                return 0;
            options->threshold = strtol(argv[++i], &end, 10) / 100.0;
            if (*end != '\0' || options->threshold <= 0.0)
                return 0;
        } else if (strcmp(argv[i], "-h") == 0) {
            printf("usage: tables [-v] [-t HUNDREDTHS]\n");
            exit(0);
        } else {
            fprintf(stderr, "unknown option %s\n", argv[i]);
            return 0;
        }
    }
    return 1;
}

int main(int argc, char **argv)
{
    static struct table table;
    struct options options;
    char line[LONGEST_LINE];
    int status, freedom, tables = 0;
    double sum, total = 0.0;
    int total_freedom = 0;

    if (!read_options(argc, argv, &options))
        return 2;
    while ((status = read_table(&table, line)) > 0) {
        freedom = 0;
        sum = chi_square(&table, &freedom, options.is_verbose);
        report(sum, freedom, &options);
        tables++;
        if (sum > 0.0) {
            total += sum;
            total_freedom += freedom;
        }
    }
    if (status < 0)
        return 1;
    if (tables == 0) {
        printf("* no tables\n");
        return 0;
    }
    if (tables > 1 && total_freedom > 0)
        printf("total 2info = %.2f  degrees of freedom = %d\n", total, total_freedom);
    return 0;
}
